#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// The table `command_key`: the first response to each command, under the digest of its key. The row is in
/// the transaction of the command's effect: whoever else inserts the key waits for that one's end.
namespace sluice::store {

/// Of a row: SHA-256 over the length-prefixed caller, command and caller's key. Fixed forever.
[[nodiscard]] crypto::Digest command_digest(std::string_view caller, std::string_view command,
                                            std::string_view caller_key);

/// Who asks for what. The views live during the call.
struct NewCommandKey {
    const crypto::Digest& key;
    const crypto::Digest& fingerprint;
    std::string_view command;
    std::string_view caller;
    std::string_view caller_key;
    std::chrono::seconds keep{};  ///< from now on
};

struct CommandResponse {
    int status = 0;
    std::string content_type;
    std::string body;
};

/// A row that is committed.
struct KnownCommandKey {
    crypto::Digest fingerprint{};
    std::optional<CommandResponse> response;  ///< nullopt: there is none
    std::optional<std::string> failure;  ///< why nobody will know whether it was executed; nullopt: it may be
    WallTime begun_at{};
    bool has_expired = false;  ///< by the server's clock: the key is a new one. A call in progress never has
};

// Inside the caller's transaction.

/// False: the key is there. Its row is locked then, and stays as it is until the transaction ends. Waits for
/// a transaction that has it open.
[[nodiscard]] Result<bool> insert_command_key(Connection& connection, const NewCommandKey& row);
/// errc::unlisted_row_count when there is no such row.
[[nodiscard]] Result<void> write_response(Connection& connection, const crypto::Digest& key,
                                          const CommandResponse& response);
/// Nobody will know whether it was executed. As write_response.
[[nodiscard]] Result<void> write_failure(Connection& connection, const crypto::Digest& key,
                                         std::string_view why);
/// A key and its response.
struct DoneCommandKey {
    NewCommandKey key;
    CommandResponse response;
};
/// All of them, in multi-row statements; at most 256. False: one is there already, and all must be rolled
/// back. Waits as insert_command_key does.
[[nodiscard]] Result<bool> insert_done_keys(Connection& connection, std::span<const DoneCommandKey> rows);
/// Deletes the row if it has expired; otherwise nothing.
[[nodiscard]] Result<void> forget_expired_key(Connection& connection, const crypto::Digest& key);
/// Waits for a transaction that has the key open. What is not there afterwards was rolled back, or never
/// came to this server.
[[nodiscard]] Result<std::optional<KnownCommandKey>> settled_command_key(Connection& connection,
                                                                         const crypto::Digest& key);

// Anywhere.

/// What is committed. Waits for nobody.
[[nodiscard]] Result<std::optional<KnownCommandKey>> find_command_key(Connection& connection,
                                                                      const crypto::Digest& key);

/// As find_command_key, of 1 to 256: those that are there, in no order.
[[nodiscard]] Result<std::vector<std::pair<crypto::Digest, KnownCommandKey>>> find_command_keys(
    Connection& connection, std::span<const crypto::Digest> keys);

// Outside a transaction.

/// When the command was begun that has the key open, whether it will be committed or not; nullopt: none has.
/// One that was committed before is found too.
[[nodiscard]] Result<std::optional<WallTime>> open_command_key(Connection& connection,
                                                               const crypto::Digest& key);

/// Fails as any write does on a server that takes none, such as one that was demoted: what is absent there
/// may stand on its successor. Changes nothing.
[[nodiscard]] Result<void> check_writable(Connection& connection);

/// Deletes at most `most` rows that have expired, of each state the oldest first, and no call in
/// progress. How many.
[[nodiscard]] Result<std::int64_t> delete_expired_keys(Connection& connection, std::int64_t most);
/// For how long the oldest row that is still there has been expired; zero: none has.
[[nodiscard]] Result<std::chrono::microseconds> oldest_expired_key(Connection& connection);

}  // namespace sluice::store
