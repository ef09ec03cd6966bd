#include "consumer/apply/setback.hpp"

#include "common/error.hpp"

namespace sluice::consumer {
namespace {

constexpr unsigned int no_partition_for_value = 1526;

}  // namespace

Setback statement_failed(const store::Connection& connection, std::error_code error) {
    Setback setback;
    setback.outcome = effects::Outcome::retry;
    if (error == errc::stopped) {
        setback.database = store::ErrorClass::unavailable;  // for us: nothing else would succeed either
        setback.reason = "other effects are in force";
        return setback;
    }
    setback.database =
        error.category() == store::category() ? store::class_of(error) : store::ErrorClass::unknown;
    setback.waited_for_lock = error == store::make_error(store::lock_wait_timed_out, "HY000");
    setback.overran = error == store::make_error(store::statement_overdue_and_lost, "HY000");
    setback.reason = error.message();
    const bool quotes_data = error == store::make_error(no_partition_for_value, "HY000");
    if (setback.database == store::ErrorClass::schema || setback.database == store::ErrorClass::unavailable) {
        // The server names the table, column or right that is missing, never a row's data but in one case.
        if (!quotes_data) setback.reason = connection.last_error().message;
    }
    return setback;
}

std::string reason_without_data(const Setback& setback) {
    if (!setback.quotes_event) return setback.reason;
    return "effect " + setback.effect + ": the reason quotes an event, see sluicectl dlq list";
}

bool took_too_long(const Setback& setback) noexcept {
    return setback.database == store::ErrorClass::overdue || is_blocked(setback);
}

bool is_blocked(const Setback& setback) noexcept {
    return setback.waited_for_lock && setback.database == store::ErrorClass::lost_lock &&
           !setback.effect.empty();
}

bool lacks_something(const Setback& setback) noexcept {
    return setback.database == store::ErrorClass::schema && setback.of_effects;
}

bool would_fail_again(const Setback& setback) noexcept {
    return setback.is_held || lacks_something(setback) || took_too_long(setback);
}

bool is_trouble(const Setback& setback) noexcept {
    if (setback.database == store::ErrorClass::schema) return !setback.of_effects;
    return setback.database == store::ErrorClass::connection ||
           setback.database == store::ErrorClass::unavailable;
}

}  // namespace sluice::consumer
