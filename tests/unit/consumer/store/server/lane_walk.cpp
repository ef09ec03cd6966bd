#include "tests/unit/consumer/store/server/lane_walk.hpp"

#include <gtest/gtest.h>

#include <array>

#include "consumer/lane/rules/run_or_park.hpp"
#include "consumer/store/lane/lane_rows.hpp"
#include "tests/unit/consumer/store/server/events.hpp"

// The main role.
namespace sluice::store {
namespace {

const std::vector<std::string> one_effect{"pay"};
const std::vector<std::string> two_effects{"pay", "say \"thanks\""};

}  // namespace

LaneWalk::LaneWalk(Connection& connection, unsigned seed)
    : connection_{connection}, random_{seed}, now_{test_time} {
    for (int i = 0; i < 6; ++i) lanes_.push_back({.object = "stripe/acct_main/pi_" + std::to_string(i)});
}

void LaneWalk::step() {
    now_ += std::chrono::milliseconds{random_() % 20'000};
    auto& lane = lanes_.at(random_() % lanes_.size());
    const auto busy = must(connection_, busy_lanes(connection_, {&lane.key, 1}));
    EXPECT_EQ(busy.size(), lane.events.empty() ? 0U : 1U);
    const auto kind = random_() % 10;
    if (kind < 4) return arrive(lane);
    if (kind < 8) return wakeup(lane);
    command(lane);
}

void LaneWalk::arrive(MemoryLane& lane) {
    MemoryEvent event{.effects = one_in(4) ? two_effects : one_effect, .inbox = key_of(++events_)};
    if (!lane.events.empty()) return arrive_at_busy(lane, event);
    if (one_in(2)) return enter(lane, event);
    insert_inbox(event, InboxStatus::done);
}

void LaneWalk::arrive_at_busy(MemoryLane& lane, const MemoryEvent& event) {
    bool failed = false;
    transaction([&] {
        auto here = locked(lane);
        if (lane::admit(here.lane) == lane::Admission::park) {
            park(lane, here, event);
            return true;
        }
        failed = one_in(2);
        if (!failed) apply(lane, here, event);
        return !failed;
    });
    if (failed) enter(lane, event);
}

void LaneWalk::apply(MemoryLane& lane, const LockedLane& locked, const MemoryEvent& event) {
    ++decisions["run past deferred ones"];
    insert_inbox(event, InboxStatus::done);
    write(lane, locked, lane::after_early_pass(locked.lane, now_));
}

void LaneWalk::park(MemoryLane& lane, LockedLane& locked, const MemoryEvent& event) {
    ++decisions["park"];
    const auto parking = lane::park(locked.lane, event.effects, locked.facts.back().effects, now_);
    MemoryEvent parked = event;
    parked.row = {.position = locked.next_position(), .first_failed_at = {}};
    insert_inbox(parked, InboxStatus::parked);
    append(lane, locked, parked);
    if (parking.overtaken) {
        ++decisions["supersede"];
        finish(lane, locked, *parking.overtaken, InboxStatus::skipped, ClosedAs::superseded);
    }
    write(lane, locked, parking.wakeup);
}

void LaneWalk::enter(MemoryLane& lane, MemoryEvent event) {
    transaction([&] {
        auto here = must(connection_, make_lane(connection_, lane.object, now_));
        if (!lane.wakeup) lane.wakeup = {.gen = now_.time_since_epoch().count(), .due = {}, .sent = true};
        EXPECT_EQ(here.lane.front, lane.read().front);
        EXPECT_EQ(here.lane.wakeup, *lane.wakeup);
        const auto ruling = fails({.position = here.next_position(), .first_failed_at = {}});
        event.row = ruling.row;
        ++decisions[lane::name_of(event.row.status)];
        insert_inbox(event, inbox_status_of(event.row.status));
        append(lane, here, event);
        if (event.row.status == lane::Status::dead) open_death(lane, lane.events.at(event.row.position));
        write(lane, here, lane::enter(here.lane, event.row, now_));
        return true;
    });
}

void LaneWalk::transaction(const std::function<bool()>& body) {
    must(connection_, connection_.begin());
    must(connection_, body() ? connection_.commit() : connection_.rollback());
}

lane::Ruling LaneWalk::fails(const lane::Row& before) {
    constexpr std::array outcomes{effects::Outcome::defer, effects::Outcome::defer, effects::Outcome::retry,
                                  effects::Outcome::retry, effects::Outcome::park};
    const lane::Policy policy{.attempts = 3,
                              .defer_for = std::chrono::minutes{2},
                              .hold_while_deferred = one_in(4),
                              .skip_superseded = one_in(2)};
    auto ruling = lane::judge({outcomes.at(random_() % outcomes.size()), std::nullopt}, before, policy, now_);
    if (ruling.kind != lane::Ruling::Kind::dead || !one_in(3)) return ruling;
    ++decisions["let others pass"];
    ruling.row.may_be_superseded = false;
    ruling.row.lets_pass = true;
    return ruling;
}

bool LaneWalk::one_in(int count) {
    return random_() % static_cast<unsigned>(count) == 0;
}

}  // namespace sluice::store
