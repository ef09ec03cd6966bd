#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/lane/rules/lane.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// What on-call has to handle (deploy/mysql/0004_dead_letter.sql): one entry per death of an event and one
/// per record without an inbox row. An entry of a lane is opened, marked and closed in a transaction that
/// holds the lane's lock. All functions run inside the caller's transaction where there is one, and never
/// commit or roll back.
namespace sluice::store {

/// rule_case ("case"): a rule of an effect wants a person to decide; nothing failed. message: a destination
/// refused it for good; `topic` is the destination and `offset` its id in the outbox. newer: of a newer
/// release. This program does not touch such an entry.
enum class DeadLetterKind { dead, undecodable, unreadable, conflict, too_old, rule_case, message, newer };
enum class ClosedAs { done, skipped, superseded, retried, closed, newer };

[[nodiscard]] std::string_view name_of(DeadLetterKind kind) noexcept;
[[nodiscard]] std::string_view name_of(ClosedAs how) noexcept;
/// Of an event in its lane: the inbox row that it names is its own.
[[nodiscard]] bool is_of_an_event(DeadLetterKind kind) noexcept;
[[nodiscard]] std::optional<DeadLetterKind> dead_letter_kind_from(std::string_view name) noexcept;
[[nodiscard]] std::optional<ClosedAs> closed_as_from(std::string_view name) noexcept;

/// An entry's row in a lane.
struct LanePlace {
    crypto::Digest lane{};
    lane::Position position = 0;
};

/// The record of an entry that has no row in a lane.
struct DeadLetterRecord {
    crypto::Digest seen_once{};  ///< which record it is: another entry of it is not opened
    std::string_view headers{};  ///< record::header_bytes
    std::string_view body{};
};

/// An entry to open. The views live until `open_dead_letter` returns. Text is cut at the columns' sizes: it
/// is for people, and of a record from elsewhere it may be of any length.
struct DeadLetter {
    DeadLetterKind kind = DeadLetterKind::dead;
    std::optional<LanePlace> place;
    std::string_view object_key;
    std::string_view source;
    std::string_view type;
    std::string_view event_id;
    std::optional<InboxKey> inbox;
    std::optional<crypto::Digest> content_digest;
    std::string_view error_class;
    std::string_view error_text;
    int attempts = 0;
    WallTime first_failed_at{};
    std::string_view topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::optional<DeadLetterRecord> record;
    std::string_view reference{};    ///< the merchant's order number; empty: none
    std::string_view transaction{};  ///< the provider's number
    bool owes_dlq_record = true;     ///< false: its record lies in its own durable topic already
};

/// Its id. An entry of a place in a lane where the same record has died before carries on the time of its
/// first death. nullopt: the record has an entry already (it was delivered again), nothing changes and the
/// transaction goes on.
[[nodiscard]] Result<std::optional<std::int64_t>> open_dead_letter(Connection& connection,
                                                                   const DeadLetter& dead_letter,
                                                                   WallTime now);

/// The delivery report of entry `id` is there. A mark is for one death: the event's inbox row is marked too
/// only when no later death of it is open. False when the entry owes nothing.
[[nodiscard]] Result<bool> mark_dead_letter_sent(Connection& connection, std::int64_t id);

/// Closes the entry of an event that is finished or retried, so that its DLQ record is owed no more; how many
/// were open (one or, for an event that is not dead, none).
[[nodiscard]] Result<std::int64_t> close_dead_letters(Connection& connection, const LanePlace& place,
                                                      ClosedAs how, WallTime now);
/// The same for one entry, of any kind.
[[nodiscard]] Result<std::int64_t> close_dead_letter(Connection& connection, std::int64_t id, ClosedAs how,
                                                     WallTime now);

/// Entries that are open, for the metrics.
struct OpenDeadLetters {
    bool are_cases = false;
    std::string error_class;
    std::string source;
    std::int64_t count = 0;
    WallTime oldest{};  ///< the earliest first death
};
[[nodiscard]] Result<std::vector<OpenDeadLetters>> count_open_dead_letters(Connection& connection);
/// Quarantined lanes that are held by cases and by nothing else.
[[nodiscard]] Result<std::int64_t> count_lanes_held_by_cases(Connection& connection);

}  // namespace sluice::store
