#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "command/http/reply.hpp"
#include "common/clock.hpp"
#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::command {

/// Why a request is not answered with a stored response. Each has one status, one name and one title
/// (problem.cpp holds the table), and is a problem detail (RFC 9457).
enum class Problem : std::uint8_t {
    no_such_resource,
    method_not_allowed,
    query_not_taken,
    body_not_taken,
    unsupported_media_type,
    not_authenticated,  ///< an unknown caller or a wrong signature: one wording
    unknown_command,
    key_missing,
    key_malformed,
    key_not_taken,  ///< the command makes it of its body
    refused,        ///< a parameter is missing or out of its bounds
    in_progress,    ///< another request with this key is at work
    key_reused,     ///< for another request
    limited,        ///< the caller or the account asks for more than its limit
    failed,         ///< and was rolled back
    unavailable,    ///< perhaps it was executed
    busy,           ///< nothing was executed
    not_executed,   ///< the service that executes it did nothing
    not_known,      ///< and nobody will find out but a person
};

struct ProblemRow {
    Problem problem;
    int status;
    std::string_view name;   ///< in metrics and in `type`; a closed set
    std::string_view title;  ///< the same each time
};

/// Of what may go better in a moment.
inline constexpr std::string_view retry_soon = "Retry-After: 1\r\n";

/// The same of what goes better after `wait`: whole seconds, never too early.
[[nodiscard]] std::string retry_after(SteadyTime::duration wait);

[[nodiscard]] const ProblemRow& row_of(Problem problem) noexcept;
[[nodiscard]] std::span<const ProblemRow> all_problems() noexcept;

/// `detail`: a sentence for the caller, ours or the executor's; empty: none. `fields` are complete lines.
[[nodiscard]] Reply reply_to(Problem problem, std::string_view detail, std::string_view fields = "");
/// Of a head or a body that was refused before anybody asked what it wants.
[[nodiscard]] Reply reply_to(gate::Refusal refusal);

}  // namespace sluice::command
