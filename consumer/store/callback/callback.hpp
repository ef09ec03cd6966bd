#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/store/driver/connection.hpp"

/// What every callback came to (deploy/mysql/0014_callback.sql).
namespace sluice::store {

/// Where a callback was read: with the time of receipt the key of its row.
struct CallbackPlace {
    enum class Log : std::uint8_t { events = 0, callbacks = 1 };
    Log log = Log::events;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::int64_t number = 0;  ///< within the record
};

/// The event that was read from it. The views are the caller's.
struct CallbackEvent {
    std::string_view id;
    std::string_view type;
    std::string_view object_key;
    std::chrono::sys_days day;
    crypto::Digest dedup_key;
    std::optional<crypto::Digest> body_hash{};  ///< of what the account sent, without the event's id
    std::optional<WallTime> occurred_at{};
    std::string_view payment{};  ///< its kind; empty: it tells of none, or nobody can tell
    std::optional<std::int64_t> amount{};
    std::string_view currency{};
};

/// One row. Texts that are longer than their column are cut. The views live until `insert_callbacks` returns.
struct CallbackEntry {
    CallbackPlace place;
    WallTime received_at{};
    std::string_view source;
    std::string_view verdict;
    std::string_view reason{};             ///< empty: NULL, as of all texts
    std::optional<std::int64_t> status{};  ///< what was answered
    std::string_view client{};
    std::int64_t requests = 1;
    std::string_view trace{};  ///< 16 bytes
    std::optional<std::int64_t> body_size{};
    std::optional<std::int64_t> took_us{};
    std::optional<CallbackEvent> event{};
    std::string_view headers{};
    std::optional<std::string_view> body{};
};

/// Multi-row INSERTs of at most 1,000 rows or 2 MiB each, inside the caller's transaction. A row that is
/// there already stays as it is: its record was read again.
[[nodiscard]] Result<void> insert_callbacks(Connection& connection, std::span<const CallbackEntry> entries);

/// Of which of these events a duplicate lies there with its body, received on `day` or the three days before.
[[nodiscard]] Result<std::set<crypto::Digest>> kept_duplicates(Connection& connection,
                                                               std::span<const crypto::Digest> events,
                                                               std::chrono::sys_days day);

/// Callbacks of the object of which something of the request is kept.
[[nodiscard]] Result<std::int64_t> count_kept_requests(Connection& connection, std::string_view object_key);
/// Erases what is kept of the request from at most `limit` of them, inside the caller's transaction; of how
/// many.
[[nodiscard]] Result<std::int64_t> erase_kept_requests(Connection& connection, std::string_view object_key,
                                                       std::int64_t limit);

/// What stands for an object in the index: the first eight bytes of the SHA-256 of its key.
[[nodiscard]] std::int64_t object_hash(std::string_view object_key);

}  // namespace sluice::store
