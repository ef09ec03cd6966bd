#include "consumer/lane/rules/next_turn.hpp"

#include <algorithm>

namespace sluice::lane {
namespace {

bool is_due(const Row& row, const Pass& pass, WallTime now) noexcept {
    switch (row.status) {
        case Status::parked:
            return true;
        case Status::deferred:
            return pass.had_success || has_come(row.due_at, now);
        case Status::retry:
            return has_come(row.due_at, now);
        case Status::dead:
        case Status::newer:
            break;
    }
    return false;
}

}  // namespace

Duty duty_of(const Lane& lane, std::optional<Generation> wakeup) noexcept {
    if (lane.dlq_owed) return {Duty::Kind::send_dead_letter, *lane.dlq_owed, 0};
    if (wakeup == lane.wakeup.gen && lane.wakeup.due) return {Duty::Kind::run_pass, {}, lane.wakeup.gen};
    if (!lane.wakeup.sent) return {Duty::Kind::send_wakeup, {}, lane.wakeup.gen};
    return {};
}

Turn next_turn(const Lane& lane, const Pass& pass, WallTime now) {
    const auto next = std::ranges::find_if(
        lane.front, [&](const Row& row) { return row.position > pass.had_turn && is_due(row, pass, now); });
    if (next != lane.front.end()) return {.kind = Turn::Kind::run, .row = *next};
    if (const auto due = next_due(lane, now)) return {.kind = Turn::Kind::arm, .row = {}, .due = *due};
    return {.kind = Turn::Kind::rest, .row = {}};
}

Pass early_pass(const Lane& lane) noexcept {
    return {.gen = lane.wakeup.gen, .had_turn = 0, .had_success = true};
}

Wakeup after_early_pass(const Lane& lane, WallTime now) noexcept {
    const auto due = next_due(lane, now);
    if (!due) return at_rest(lane.wakeup);
    const bool in_time = lane.wakeup.due && *lane.wakeup.due <= *due;
    return in_time ? lane.wakeup : armed(lane.wakeup, *due);
}

Pass after_success(const Pass& pass) noexcept {
    return {.gen = pass.gen, .had_turn = 0, .had_success = true};
}

Pass after_failure(const Pass& pass, const Row& failed) noexcept {
    Pass next = pass;
    next.had_turn = failed.position;
    return next;
}

bool dies_superseded(const Row& dead, bool has_later_of_same_effects) noexcept {
    return dead.status == Status::dead && dead.may_be_superseded && has_later_of_same_effects;
}

bool still_stands(const Lane& lane, const Pass& pass, const Row& tried) noexcept {
    return lane.wakeup.gen == pass.gen && std::ranges::contains(lane.front, tried);
}

}  // namespace sluice::lane
