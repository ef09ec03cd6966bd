#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// The table `outbox` for the relay. Rows are written by effects (`send`). Whoever works on a slot of a
/// destination holds its lock, so that the messages of one key are sent by one relay at a time.
namespace sluice::store {

inline constexpr int outbox_slots = 16;

/// Where messages of one key lie together.
struct OutboxSlot {
    std::string destination;
    int number = 0;
    /// Of its named lock.
    [[nodiscard]] std::string purpose() const {
        return "outbox " + destination + " " + std::to_string(number);
    }
};

/// A message of sluice itself, which no effect wrote. The views live until `insert_message` returns.
struct OwnMessage {
    std::string_view destination;
    std::string_view key;
    crypto::Digest idempotency_key;
    std::string_view body;
    std::string_view effect;  ///< what stands in the place of an effect's name
    std::string_view source;
    std::chrono::sys_days day;
};
/// Inside the caller's transaction.
[[nodiscard]] Result<void> insert_message(Connection& connection, const OwnMessage& message);

/// A row that is neither sent nor skipped.
struct OutboxMessage {
    std::int64_t id = 0;
    std::optional<std::string> key;  ///< nullopt: in no order
    std::string idempotency_key;     ///< 32 bytes
    std::size_t size = 0;            ///< of its body, in bytes
    bool has_body = false;           ///< a large one has none until read_bodies
    std::string body;
    std::string effect;
    std::string source;
    std::string event_id;
    std::string event_type;
    InboxKey event;           ///< its row of the inbox
    std::string traceparent;  ///< empty: none
    std::int64_t attempts = 0;
    std::chrono::seconds tried_for{};  ///< since the first attempt, or the first after an operator's retry
    std::chrono::seconds age{};        ///< since it was written
    bool is_due = false;               ///< neither refused nor put off
    bool is_refused = false;
};

/// The numbers of the slots that have unfinished messages.
[[nodiscard]] Result<std::vector<int>> busy_slots(Connection& connection, std::string_view destination);

/// Unfinished messages of a slot behind `after`, in the order of their ids, at most `outbox_batch`. Without
/// bodies above `small_body`: most of those that wait behind a refused one are only looked at.
[[nodiscard]] Result<std::vector<OutboxMessage>> unfinished_messages(Connection& connection,
                                                                     const OutboxSlot& slot,
                                                                     std::int64_t after);
inline constexpr std::size_t outbox_batch = 256;
inline constexpr std::size_t small_body = 1024;  ///< bytes
/// Those that are not there yet, of at most `outbox_batch`. A message that is gone is
/// errc::unlisted_row_count.
[[nodiscard]] Result<void> read_bodies(Connection& connection, std::span<OutboxMessage* const> messages);

// Another relay may have been there since: what is not waiting any more stays as it is.

/// They are at their destination. At most `outbox_batch`.
[[nodiscard]] Result<void> mark_sent(Connection& connection, std::span<const std::int64_t> ids);
/// No attempt was made, since the destination is out of reach: the next one is after `wait`.
/// errc::unlisted_row_count when it is not waiting.
[[nodiscard]] Result<void> leave_for(Connection& connection, std::int64_t id, Milliseconds wait,
                                     std::string_view why);
/// An attempt failed: the next one is after `wait`, and what has the same key waits too. `why` is cut at
/// 1,024 bytes. errc::unlisted_row_count when it is not waiting.
[[nodiscard]] Result<void> put_off(Connection& connection, std::int64_t id, Milliseconds wait,
                                   std::string_view why);
/// The destination refuses it for good: it waits for a person, and what has the same key behind it. The
/// caller opens its entry in the same transaction. errc::unlisted_row_count when it is not waiting.
[[nodiscard]] Result<void> refuse(Connection& connection, std::int64_t id, std::string_view why);
/// A person has it sent again, or not at all. How many there were: none where it is not refused any more.
[[nodiscard]] Result<std::int64_t> send_again(Connection& connection, std::int64_t id);
[[nodiscard]] Result<std::int64_t> skip_message(Connection& connection, std::int64_t id);

/// Deletes at most `outbox_batch` finished ones older than `cutoff`. How many.
[[nodiscard]] Result<std::int64_t> delete_finished(Connection& connection, WallTime cutoff);

/// Names that unfinished messages are for.
[[nodiscard]] Result<std::vector<std::string>> unfinished_destinations(Connection& connection);
/// Since one of its unfinished messages was last written, tried, put off or sent again by a person.
[[nodiscard]] Result<std::chrono::seconds> untouched_for(Connection& connection,
                                                         std::string_view destination);

}  // namespace sluice::store
