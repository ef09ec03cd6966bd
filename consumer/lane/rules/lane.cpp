#include "consumer/lane/rules/lane.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::lane {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> status_names{{
    {Status::deferred, "deferred"},
    {Status::retry, "retry"},
    {Status::dead, "dead"},
    {Status::parked, "parked"},
    {Status::newer, "newer"},
}};

constexpr std::array<std::pair<State, std::string_view>, 5> state_names{{
    {State::open, "open"},
    {State::deferring, "deferring"},
    {State::waiting, "waiting"},
    {State::draining, "draining"},
    {State::quarantined, "quarantined"},
}};

}  // namespace

bool has_come(WallTime due_at, WallTime now) noexcept {
    constexpr std::chrono::hours longer_than_any_wait{2};
    return due_at <= now || due_at > now + longer_than_any_wait;
}

Wakeup armed(const Wakeup& wakeup, WallTime due) noexcept {
    return {.gen = wakeup.gen + 1, .due = due, .sent = false};
}

Wakeup at_rest(const Wakeup& wakeup) noexcept {
    return {.gen = wakeup.gen, .due = std::nullopt, .sent = true};
}

Wakeup with_sent(const Wakeup& wakeup, Generation gen) noexcept {
    Wakeup marked = wakeup;
    if (wakeup.gen == gen) marked.sent = true;
    return marked;
}

const Row* head_of(const Lane& lane) noexcept {
    if (lane.front.empty() || lane.front.back().status == Status::deferred) return nullptr;
    return &lane.front.back();
}

std::optional<WallTime> next_due(const Lane& lane, WallTime now) noexcept {
    std::optional<WallTime> due;
    for (const Row& row : lane.front) {
        if (row.status == Status::dead || row.status == Status::newer) break;
        const WallTime when = row.status == Status::parked ? now : row.due_at;
        due = due ? std::min(*due, when) : when;
    }
    return due;
}

bool has_newer(const Lane& lane) noexcept {
    return std::ranges::contains(lane.front, Status::newer, &Row::status);
}

State state_of(const Lane& lane) noexcept {
    if (lane.front.empty()) return State::open;
    switch (lane.front.back().status) {
        case Status::deferred:
            return State::deferring;
        case Status::retry:
        case Status::newer:
            return State::waiting;
        case Status::parked:
            return State::draining;
        case Status::dead:
            break;
    }
    return State::quarantined;
}

std::string_view name_of(State state) noexcept {
    return std::ranges::find(state_names, state, &std::pair<State, std::string_view>::first)->second;
}

std::string_view name_of(Status status) noexcept {
    return std::ranges::find(status_names, status, &std::pair<Status, std::string_view>::first)->second;
}

std::optional<Status> status_from(std::string_view name) noexcept {
    const auto* found = std::ranges::find(status_names, name, &std::pair<Status, std::string_view>::second);
    if (found == status_names.end()) return std::nullopt;
    return found->first;
}

}  // namespace sluice::lane
