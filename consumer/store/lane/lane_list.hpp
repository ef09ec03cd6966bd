#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/lane/rules/lane.hpp"
#include "consumer/store/inbox/of_payment.hpp"
#include "consumer/store/lane/lane.hpp"

/// Lanes for people. No locks, no payloads; each function is one statement, so that what it says of a lane
/// fits together.
namespace sluice::store {

/// A lane with unfinished events, or one that was asked for by its key.
struct LaneSummary {
    LaneKey key{};
    std::string object_key;
    lane::State state = lane::State::open;
    lane::Wakeup wakeup;
    std::int64_t unfinished = 0;
    std::optional<WallTime> since;  ///< the broker's time stamp of the first unfinished event
    std::string error_class;        ///< of the event that holds the lane, or of the first deferred one
    WallTime updated_at{};
};

/// Of lanes with unfinished events: those in `state`, or all; those that wait longest first. Reads every such
/// lane, regardless of the limit.
[[nodiscard]] Result<std::vector<LaneSummary>> list_lanes(Connection& connection,
                                                          std::optional<lane::State> state,
                                                          std::int64_t limit);

/// nullopt: the object was never in trouble, or its lane was purged.
[[nodiscard]] Result<std::optional<LaneSummary>> find_lane(Connection& connection, const LaneKey& key);

struct LaneCount {
    lane::State state = lane::State::open;
    std::int64_t lanes = 0;
    std::int64_t events = 0;
    std::optional<WallTime> oldest;
};
/// By state, most lanes first; those without unfinished events are not counted.
[[nodiscard]] Result<std::vector<LaneCount>> count_lanes(Connection& connection);

/// An unfinished event in its place.
struct LaneEventRow {
    lane::Row row;
    std::vector<std::string> effects;
    std::optional<WallTime> effects_missing_since;
    std::string error_class;
    std::string error_text;
    std::optional<InboxKey> inbox;
    std::string topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    WallTime appended_at{};
    bool edited = false;
    std::string event_id;  ///< of its inbox row; empty: it has none
    std::string type;
    std::string reference{};    ///< the merchant's order number; empty: none is known
    std::string transaction{};  ///< the provider's number
};

/// The events behind `after` in their order; at most `limit`.
[[nodiscard]] Result<std::vector<LaneEventRow>> list_events(Connection& connection, const LaneKey& key,
                                                            std::int64_t limit, lane::Position after = 0);

/// The lanes that hold an unfinished event of this payment, at most `limit`.
[[nodiscard]] Result<std::vector<LaneSummary>> lanes_of_payment(Connection& connection,
                                                                const NumbersAsked& asked,
                                                                std::int64_t limit);

/// The unfinished event of an inbox row. Walks the lane's rows before it.
[[nodiscard]] Result<std::optional<LaneEventRow>> find_event_row(Connection& connection, const LaneKey& key,
                                                                 const InboxKey& event);

/// What --state takes: the name of a state that lists have.
[[nodiscard]] std::optional<lane::State> lane_state_from(std::string_view name) noexcept;

}  // namespace sluice::store
