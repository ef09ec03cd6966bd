#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "consumer/lane/rules/lane.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// The tables of the lanes (deploy/mysql/0003_lane.sql). What to write is decided by consumer/lane.
///
/// A transaction that changes anything of a lane holds its row's lock from `lock_lane` or `make_lane` to
/// COMMIT, and ends with `write_lane`; both roles do this. Locks are taken in the order inbox row, lane, rows
/// of the effects. All functions run inside the caller's transaction and never commit or roll back; after any
/// error the caller rolls back. Only the reads at the end need no transaction and take no locks.
namespace sluice::store {

using LaneKey = crypto::Digest;

/// As long as the column lane.object_key. Ours are shorter; keys of records from elsewhere that agree so far
/// share a lane, so that what the table holds always is enough to find and to wake it.
inline constexpr std::size_t longest_object_key = 512;

/// SHA-256 of the record key, cut at longest_object_key.
[[nodiscard]] LaneKey lane_key_of(std::string_view ordering_key);

/// What the rules do not read, of an event in the front.
struct EventFacts {
    std::vector<std::string> effects;  ///< names of those that matched, in file order
    std::optional<WallTime> effects_missing_since;
    std::optional<InboxKey> inbox;  ///< none: undecodable, so without an inbox row
};

/// A lane under its lock.
struct LockedLane {
    LaneKey key{};
    lane::Lane lane{};                ///< what the rules decide upon
    std::vector<EventFacts> facts{};  ///< of lane.front, one by one
    std::int64_t unfinished = 0;      ///< rows in lane_event
    lane::Position last_position = 0;

    [[nodiscard]] lane::Position next_position() const noexcept { return last_position + 1; }
};

/// Locks the lane's row, if there is one. False: another transaction has it; this one can only be rolled
/// back.
[[nodiscard]] Result<bool> lock_lane_now(Connection& connection, const LaneKey& key);
/// Locks and reads a lane that may not be there yet: to enter it. Waits for the transaction that has it.
[[nodiscard]] Result<LockedLane> make_lane(Connection& connection, std::string_view ordering_key,
                                           WallTime now);

/// Locks and reads; nullopt when the object never was in trouble or was purged. The front begins behind
/// `after`: a pass names the position up to which it knows that nothing is unfinished, so that the rows which
/// it has just deleted are not walked again.
[[nodiscard]] Result<std::optional<LockedLane>> lock_lane(Connection& connection, const LaneKey& key,
                                                          lane::Position after = 0);

/// The lane's own row, with the numbers that the functions below have kept in `lane`.
[[nodiscard]] Result<void> write_lane(Connection& connection, const LockedLane& lane,
                                      const lane::Wakeup& wakeup, WallTime now);

/// What changes of an unfinished event. The views live until the call returns; error_class is cut at 64
/// bytes, error_text at 1024.
struct LaneRow {
    lane::Row row;
    std::span<const std::string> effects;
    std::optional<WallTime> effects_missing_since{};
    std::string_view error_class{};  ///< empty: NULL
    std::string_view error_text{};   ///< empty: NULL
};

/// What does not. The views live until the call returns.
struct LaneRecord {
    std::optional<InboxKey> inbox;
    std::string_view topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime appended_at{};
    std::string_view headers;  ///< record::header_bytes
    std::string_view body;
    bool edited = false;             ///< the body is an operator's
    std::string_view had_effects{};  ///< of a rerun: effects_text of what the event had before; empty: none
    std::string_view reference{};    ///< the merchant's order number; empty: none
    std::string_view transaction{};  ///< the provider's number
};

/// At the tail: `row.row.position` is `lane.next_position()`.
[[nodiscard]] Result<void> append_event(Connection& connection, LockedLane& lane, const LaneRow& row,
                                        const LaneRecord& record);

/// After a failure or a command. errc::unlisted_row_count when there is no such row.
[[nodiscard]] Result<void> write_event(Connection& connection, const LockedLane& lane, const LaneRow& row);

/// The event is finished: its row goes; its inbox row and its dead letters are the caller's. Fails as
/// `write_event`.
[[nodiscard]] Result<void> remove_event(Connection& connection, LockedLane& lane, lane::Position position);

/// The record of an event, to run it or to show it.
struct StoredRecord {
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime appended_at{};
    std::string headers;  ///< record::headers_from
    std::string body;
    bool edited = false;                 ///< the body is an operator's, and not what the provider signed
    std::vector<std::string> effects{};  ///< that the row is about
    std::optional<std::vector<std::string>> had{};  ///< of a rerun: those that the event had before it
};
[[nodiscard]] Result<std::optional<StoredRecord>> read_record(Connection& connection, const LaneKey& key,
                                                              lane::Position position);

/// The row of an event wherever it stands, for commands; nullopt: it is finished. Walks the rows before it,
/// which are few unless it is parked.
[[nodiscard]] Result<std::optional<lane::Row>> find_event(Connection& connection, const LaneKey& key,
                                                          const InboxKey& event);

/// The same by its place, of an undecodable record, which has no inbox row.
[[nodiscard]] Result<std::optional<lane::Row>> find_event_at(Connection& connection, const LaneKey& key,
                                                             lane::Position position);

/// An operator's body with what it says of a payment.
struct EditedBody {
    std::string_view bytes;
    std::string_view reference;    ///< empty: the row's stays
    std::string_view transaction;  ///< the same
};
/// Replaces the body with an operator's, marked for ever. Fails as `write_event`.
[[nodiscard]] Result<void> edit_event(Connection& connection, const LaneKey& key, lane::Position position,
                                      const EditedBody& body);

/// Whether an event behind `position` was matched by exactly these effects (`lane::dies_superseded`). Walks
/// the rows behind it.
[[nodiscard]] Result<bool> has_later_of(Connection& connection, const LaneKey& key, lane::Position position,
                                        std::span<const std::string> effects);

/// The wakeup of `gen` is with the broker. False when a newer one is owed: nothing to do.
[[nodiscard]] Result<bool> mark_wakeup(Connection& connection, const LaneKey& key, lane::Generation gen);

/// Which of `keys` have unfinished events, in no particular order; no locks. What the healthy path pays for
/// lanes: a few rows of an index while few lanes are busy, then one SELECT more for up to 512 keys.
[[nodiscard]] Result<std::vector<LaneKey>> busy_lanes(Connection& connection, std::span<const LaneKey> keys);
/// The same of `count` keys, which are not made where many are asked for and no lane is busy.
[[nodiscard]] Result<std::vector<LaneKey>> busy_lanes(Connection& connection, std::size_t count,
                                                      const std::function<std::vector<LaneKey>()>& make_keys);

/// A lane whose wakeup should have come by now.
struct OverdueLane {
    LaneKey key{};
    std::string object_key;  ///< cut at 512 bytes
    lane::Generation gen = 0;
};

/// Those due before `before`, the longest overdue first; no locks.
[[nodiscard]] Result<std::vector<OverdueLane>> overdue_lanes(Connection& connection, WallTime before);

}  // namespace sluice::store
