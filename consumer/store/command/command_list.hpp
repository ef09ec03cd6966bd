#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// The commands of sluice-command for people. No locks; a list is as of when its page was read.
namespace sluice::store {

/// Of a call all four; a command that is executed here is done.
enum class CommandState { in_progress, done, retryable, failed };

[[nodiscard]] std::string_view name_of(
    CommandState state) noexcept;  ///< the last two are "failed" to callers

struct CommandRow {
    crypto::Digest key{};  ///< of caller, command and the caller's key
    std::string command;
    std::string caller;
    std::string caller_key;
    CommandState state = CommandState::done;
    std::string why;                     ///< it failed; empty of others
    std::optional<std::int64_t> status;  ///< of the response; nullopt: there is none
    std::string content_type;
    std::int64_t response_bytes = 0;
    WallTime begun_at{};
    WallTime keep_until{};                  ///< in progress: the end of the lease
    bool has_expired = false;               ///< by the server's clock; in progress: the lease has
    std::optional<std::string> response{};  ///< only of `find_command`
};

/// Which commands; what is not set does not narrow.
struct CommandFilter {
    std::optional<std::string> command{};
    std::optional<std::string> caller{};
    std::optional<std::string> state{};  ///< in_progress, done or failed
    std::optional<std::int64_t> status{};
};

/// Where a page ends: at this row, which need not be there any more.
struct CommandPlace {
    WallTime keep_until{};
    crypto::Digest key{};
};

/// Those that are kept for the longest first, without responses, at most `limit`. An index gives the order
/// within a state; another filter that few rows pass walks past all others of the state.
[[nodiscard]] Result<std::vector<CommandRow>> list_commands(Connection& connection,
                                                            const CommandFilter& filter, std::int64_t limit,
                                                            const std::optional<CommandPlace>& after);

/// With its response; nullopt where there is none.
[[nodiscard]] Result<std::optional<CommandRow>> find_command(Connection& connection,
                                                             const crypto::Digest& key);

}  // namespace sluice::store
