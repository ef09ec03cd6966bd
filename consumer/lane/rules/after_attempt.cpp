#include "consumer/lane/rules/after_attempt.hpp"

#include "consumer/lane/rules/retry_delays.hpp"

namespace sluice::lane {
namespace {

constexpr int tries_of_unknown_errors = 3;

Ruling dead(const Row& before, const Policy& policy, std::string_view error_class, WallTime now) {
    Row row = before;
    row.status = Status::dead;
    row.may_be_superseded = policy.skip_superseded;
    if (!row.first_failed_at) row.first_failed_at = now;
    return {Ruling::Kind::dead, row, error_class};
}

Ruling dead_by_failure(const Row& before, const Policy& policy, std::string_view error_class, WallTime now) {
    Row row = before;
    ++row.attempts;
    return dead(row, policy, error_class, now);
}

Ruling deferred(const Row& before, const Policy& policy, WallTime now) {
    const bool was_early = before.status == Status::deferred && !has_come(before.due_at, now);
    if (was_early) return {Ruling::Kind::waits, before, {}};
    Row row = before;
    // Each kind of waiting has its own time: one that comes after the other starts again.
    if (!row.first_failed_at || row.deferrals == 0) row.first_failed_at = now;
    if (now - *row.first_failed_at >= policy.defer_for) return dead(row, policy, "deferred", now);
    row.status = policy.hold_while_deferred ? Status::retry : Status::deferred;
    ++row.deferrals;
    row.due_at = now + deferral_delay(row.deferrals);
    return {Ruling::Kind::waits, row, {}};
}

Ruling failed(const Row& before, const Policy& policy, WallTime now) {
    Row row = before;
    const bool was_only_deferred = row.attempts == 0 && row.deferrals > 0;
    if (!row.first_failed_at || was_only_deferred) row.first_failed_at = now;
    ++row.attempts;
    const bool used_up = policy.attempts > 0 && row.attempts >= policy.attempts;
    if (used_up || now - *row.first_failed_at >= policy.horizon) {
        return dead(row, policy, "exhausted", now);
    }
    row.status = Status::retry;
    row.due_at = now + retry_delay(row.attempts);
    return {Ruling::Kind::waits, row, {}};
}

/// Others still pass a deferred one.
Ruling put_off(const Row& before, Milliseconds time, WallTime now) {
    Row row = before;
    if (row.status != Status::deferred) row.status = Status::retry;
    row.due_at = now + time;
    return {Ruling::Kind::waits, row, {}, false};
}

Ruling failed_by(store::ErrorClass error, const Row& before, const Policy& policy, WallTime now) {
    switch (error) {
        case store::ErrorClass::lost_lock:
            return {Ruling::Kind::contention, before, {}};
        case store::ErrorClass::connection:
        case store::ErrorClass::unavailable:
        case store::ErrorClass::schema:
            return {Ruling::Kind::trouble, before, {}};
        // A duplicate from the inbox INSERT is answered before: this is an effect's own key.
        case store::ErrorClass::duplicate:
        case store::ErrorClass::data:
            return dead_by_failure(before, policy, "data", now);
        case store::ErrorClass::overdue:
            return failed(before, policy, now);
        case store::ErrorClass::unknown:
            break;
    }
    if (before.attempts + 1 >= tries_of_unknown_errors)
        return dead_by_failure(before, policy, "unknown", now);
    return failed(before, policy, now);
}

}  // namespace

Ruling judge(const Attempt& attempt, const Row& before, const Policy& policy, WallTime now) {
    if (attempt.put_off) return put_off(before, *attempt.put_off, now);
    if (attempt.error) return failed_by(*attempt.error, before, policy, now);
    switch (attempt.outcome) {
        case effects::Outcome::done:
            return {Ruling::Kind::done, before, {}};
        case effects::Outcome::ignore:
            return {Ruling::Kind::ignored, before, {}};
        case effects::Outcome::defer:
            return deferred(before, policy, now);
        case effects::Outcome::retry:
            return failed(before, policy, now);
        case effects::Outcome::park:
            break;
    }
    return dead_by_failure(before, policy, "park", now);
}

Lacking on_missing_effect(WallTime missing_since, Milliseconds grace, WallTime now) noexcept {
    return now - missing_since < grace ? Lacking::send_again : Lacking::dead;
}

}  // namespace sluice::lane
