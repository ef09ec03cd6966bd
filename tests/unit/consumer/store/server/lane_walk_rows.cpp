#include <gtest/gtest.h>

#include <algorithm>

#include "consumer/store/lane/lane_rows.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/lane_walk.hpp"

// What is read and written, in the tables and in memory.
namespace sluice::store {

LockedLane LaneWalk::locked(MemoryLane& lane) {
    auto here = must(connection_, lock_lane(connection_, lane.key, lane.settled));
    if (!here) throw std::runtime_error("the lane has no row");
    const auto expected = lane.read();
    EXPECT_EQ(here->lane.wakeup, expected.wakeup);
    EXPECT_EQ(here->lane.front, expected.front);
    EXPECT_EQ(here->lane.dlq_owed, expected.dlq_owed);
    EXPECT_EQ(here->unfinished, static_cast<std::int64_t>(lane.events.size()));
    EXPECT_EQ(here->last_position, lane.last);
    EXPECT_EQ(here->facts.size(), expected.front.size());
    for (std::size_t i = 0; i < std::min(here->facts.size(), expected.front.size()); ++i) {
        const auto& event = lane.events.at(expected.front[i].position);
        EXPECT_EQ(here->facts[i].effects, event.effects);
        EXPECT_EQ(here->facts[i].inbox, event.inbox);
    }
    return std::move(*here);
}

void LaneWalk::append(MemoryLane& lane, LockedLane& locked, const MemoryEvent& event) {
    const LaneRecord record{
        .inbox = event.inbox, .topic = "t", .appended_at = now_, .headers = "", .body = "{}"};
    must(connection_,
         append_event(connection_, locked, {.row = event.row, .effects = event.effects}, record));
    lane.last = event.row.position;
    lane.events.emplace(event.row.position, event);
}

void LaneWalk::insert_inbox(const MemoryEvent& event, InboxStatus status) {
    auto entry = entry_of(0);
    entry.key = event.inbox;
    entry.status = status;
    entry.dlq = status == InboxStatus::dead ? DlqRecord::owed : DlqRecord::none;
    must(connection_, insert(connection_, {&entry, 1}));
}

void LaneWalk::write(MemoryLane& lane, const LockedLane& locked, const lane::Wakeup& wakeup) {
    must(connection_, write_lane(connection_, locked, wakeup, now_));
    lane.wakeup = wakeup;
}

void LaneWalk::change_row(MemoryEvent& event, LockedLane& locked) {
    const LaneRow row{
        .row = event.row, .effects = event.effects, .error_class = "lock", .error_text = "in the way"};
    must(connection_, write_event(connection_, locked, row));
    const InboxChange change{.status = inbox_status_of(event.row.status),
                             .owes_dlq_record = event.row.status == lane::Status::dead,
                             .error_class = row.error_class,
                             .error_text = row.error_text};
    must(connection_, change_unfinished(connection_, event.inbox, change));
}

void LaneWalk::finish(MemoryLane& lane, LockedLane& locked, lane::Position position, InboxStatus status,
                      ClosedAs how) {
    const auto event = lane.events.at(position);
    must(connection_, remove_event(connection_, locked, position));
    const InboxChange change{.status = status, .finished_at = now_};
    must(connection_, change_unfinished(connection_, event.inbox, change));
    must(connection_, close_dead_letters(connection_, {lane.key, position}, how, now_));
    if (lane.events.begin()->first == position) lane.settled = position;
    lane.finished = event.inbox;
    lane.events.erase(position);
}

void LaneWalk::open_death(const MemoryLane& lane, MemoryEvent& event) {
    DeadLetter dead_letter;
    dead_letter.place = {lane.key, event.row.position};
    dead_letter.object_key = lane.object;
    dead_letter.inbox = event.inbox;
    dead_letter.error_class = "park";
    event.owed_death = must(connection_, open_dead_letter(connection_, dead_letter, now_));
}

void LaneWalk::expect_equal_tables() {
    std::int64_t unfinished = 0;
    std::int64_t dead = 0;
    for (const auto& lane : lanes_) {
        unfinished += static_cast<std::int64_t>(lane.events.size());
        dead += std::ranges::count_if(
            lane.events, [](const auto& event) { return event.second.row.status == lane::Status::dead; });
    }
    EXPECT_EQ(number("SELECT COUNT(*) FROM lane_event"), unfinished);
    EXPECT_EQ(number("SELECT COUNT(*) FROM inbox WHERE status IN ('retry', 'deferred', 'dead', 'parked')"),
              unfinished);
    EXPECT_EQ(number("SELECT COUNT(*) FROM lane_event JOIN inbox USING (event_day, dedup_key)"
                     " WHERE CONCAT(lane_event.status) = CONCAT(inbox.status)"),
              unfinished);
    EXPECT_EQ(number("SELECT COUNT(*) FROM dead_letter WHERE closed_at IS NULL"), dead);
    EXPECT_EQ(number("SELECT COUNT(*) FROM dead_letter JOIN inbox USING (event_day, dedup_key)"
                     " WHERE closed_at IS NULL AND inbox.dlq_sent = dead_letter.dlq_sent"),
              dead);
    EXPECT_EQ(number("SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'skipped') AND dlq_sent = 0"), 0);
}

std::int64_t LaneWalk::number(const std::string& statement) {
    return std::get<std::int64_t>(must(connection_, connection_.query(statement, {})).at(0).at(0));
}

}  // namespace sluice::store
