#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/consumer/store/server/lane_walk.hpp"

// The retry role, and what operators ask it for.
namespace sluice::store {

void LaneWalk::wakeup(MemoryLane& lane) {
    if (!lane.wakeup) {
        EXPECT_FALSE(must(connection_, lock_lane(connection_, lane.key)));
        return;
    }
    const lane::Generation wakeup = lane.wakeup->gen - (one_in(4) ? 1 : 0);
    lane::Pass pass{.gen = wakeup};
    for (bool goes_on = true; goes_on && !one_in(12);) {  // else the process died
        transaction([&] {
            auto here = locked(lane);
            goes_on = do_duty(lane, here, lane::duty_of(here.lane, wakeup), pass);
            return true;
        });
    }
}

bool LaneWalk::do_duty(MemoryLane& lane, LockedLane& locked, const lane::Duty& duty, lane::Pass& pass) {
    switch (duty.kind) {
        case lane::Duty::Kind::send_dead_letter:
            ++decisions["dlq record"];
            EXPECT_TRUE(must(connection_, mark_dead_letter_sent(connection_, duty.dead.death)));
            lane.events.at(duty.dead.position).owed_death.reset();
            return true;
        case lane::Duty::Kind::send_wakeup:
            ++decisions["wakeup"];
            EXPECT_FALSE(must(connection_, mark_wakeup(connection_, lane.key, duty.gen - 1)));
            EXPECT_TRUE(must(connection_, mark_wakeup(connection_, lane.key, duty.gen)));
            lane.wakeup = lane::with_sent(*lane.wakeup, duty.gen);
            return true;
        case lane::Duty::Kind::run_pass:
            take_turn(lane, locked, pass);
            return true;
        case lane::Duty::Kind::none:
            break;
    }
    return false;
}

void LaneWalk::take_turn(MemoryLane& lane, LockedLane& locked, lane::Pass& pass) {
    const auto turn = lane::next_turn(locked.lane, pass, now_);
    switch (turn.kind) {
        case lane::Turn::Kind::run:
            EXPECT_TRUE(lane::still_stands(locked.lane, pass, turn.row));
            return run(lane, locked, turn.row, pass);
        case lane::Turn::Kind::arm:
            ++decisions["arm"];
            return write(lane, locked, lane::armed(locked.lane.wakeup, turn.due));
        case lane::Turn::Kind::rest:
            ++decisions["rest"];
            return write(lane, locked, lane::at_rest(locked.lane.wakeup));
    }
}

void LaneWalk::run(MemoryLane& lane, LockedLane& locked, const lane::Row& row, lane::Pass& pass) {
    auto& event = lane.events.at(row.position);
    if (one_in(3)) {
        event.row = fails(row).row;
        const lane::Row failed = event.row;
        pass = fail(lane, locked, event) ? lane::after_failure(pass, failed) : lane::after_success(pass);
    } else {
        ++decisions["run in a pass"];
        finish(lane, locked, row.position, InboxStatus::done, ClosedAs::done);
        pass = lane::after_success(pass);
    }
    write(lane, locked, locked.lane.wakeup);
}

bool LaneWalk::fail(MemoryLane& lane, LockedLane& locked, MemoryEvent& event) {
    const auto position = event.row.position;
    const bool has_later = must(connection_, has_later_of(connection_, lane.key, position, event.effects));
    EXPECT_EQ(has_later, std::ranges::any_of(lane.events, [&](const auto& other) {
                  return other.first > position && other.second.effects == event.effects &&
                         other.second.row.status != lane::Status::dead;
              }));
    if (lane::dies_superseded(event.row, has_later)) {
        ++decisions["die superseded"];
        finish(lane, locked, position, InboxStatus::skipped, ClosedAs::superseded);
        return false;
    }
    ++decisions["fail in a pass"];
    change_row(event, locked);
    if (event.row.status == lane::Status::dead) open_death(lane, event);
    return true;
}

void LaneWalk::command(MemoryLane& lane) {
    if (!lane.wakeup) return;
    // Mostly about the event that holds the lane.
    std::vector<InboxKey> known;
    if (lane.finished) known.push_back(*lane.finished);
    for (const auto& [position, event] : lane.events) {
        const bool holds = event.row.status == lane::Status::dead || event.row.status == lane::Status::retry;
        known.insert(known.end(), holds ? 20 : 1, event.inbox);
    }
    if (known.empty()) return;
    transaction([&] {
        auto here = locked(lane);
        obey(lane, here, known.at(random_() % known.size()));
        return true;
    });
}

void LaneWalk::obey(MemoryLane& lane, LockedLane& locked, const InboxKey& event) {
    const auto row = must(connection_, find_event(connection_, lane.key, event));
    const auto in_memory =
        std::ranges::find(lane.events, event, [](const auto& other) { return other.second.inbox; });
    EXPECT_EQ(row, in_memory == lane.events.end() ? std::nullopt : std::optional{in_memory->second.row});
    const auto action = one_in(2) ? lane::Action::skip : lane::Action::retry;
    const auto reply = lane::obey(action, row, locked.lane.wakeup, now_);
    if (reply.kind == lane::Reply::Kind::refused) {
        ++decisions["refuse"];
        return;
    }
    ++decisions[action == lane::Action::skip ? "command skip" : "command retry"];
    if (reply.kind == lane::Reply::Kind::skipped) {
        finish(lane, locked, reply.row.position, InboxStatus::skipped, ClosedAs::skipped);
    } else {
        in_memory->second.row = reply.row;
        in_memory->second.owed_death.reset();
        const LanePlace place{lane.key, reply.row.position};
        must(connection_, close_dead_letters(connection_, place, ClosedAs::retried, now_));
        change_row(in_memory->second, locked);
    }
    write(lane, locked, reply.wakeup);
}

}  // namespace sluice::store
