#pragma once

#include <initializer_list>

#include "consumer/lane/rules/lane.hpp"

namespace sluice::lane {

inline constexpr WallTime now{std::chrono::hours{1000}};

[[nodiscard]] inline Row parked(Position position) {
    return {.position = position, .first_failed_at = {}};
}

[[nodiscard]] inline Row waiting(Position position, Status status, Milliseconds until_due) {
    return {.position = position,
            .status = status,
            .attempts = 1,
            .due_at = now + until_due,
            .first_failed_at = now};
}

[[nodiscard]] inline Row deferred(Position position, Milliseconds until_due = Milliseconds{0}) {
    return waiting(position, Status::deferred, until_due);
}

[[nodiscard]] inline Row retried(Position position, Milliseconds until_due = Milliseconds{0}) {
    return waiting(position, Status::retry, until_due);
}

[[nodiscard]] inline Row dead(Position position) {
    return waiting(position, Status::dead, Milliseconds{0});
}

/// Of generation 7, due and paid.
[[nodiscard]] inline Lane lane_of(std::initializer_list<Row> front) {
    return {.wakeup = {.gen = 7, .due = now, .sent = true}, .front = front, .dlq_owed = {}};
}

}  // namespace sluice::lane
