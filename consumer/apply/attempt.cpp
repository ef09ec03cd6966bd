#include "consumer/apply/attempt.hpp"

#include "common/error.hpp"

namespace sluice::consumer {

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
    setback.reason = error.message();
    if (setback.database == store::ErrorClass::schema || setback.database == store::ErrorClass::unavailable) {
        // The server names the table, column or right that is missing, never a row's data, in these classes.
        setback.reason = connection.last_error().message;
    }
    return setback;
}

bool took_too_long(const Setback& setback) noexcept {
    return setback.database == store::ErrorClass::overdue || is_blocked(setback);
}

bool is_blocked(const Setback& setback) noexcept {
    return setback.waited_for_lock && setback.database == store::ErrorClass::lost_lock &&
           !setback.effect.empty();
}

bool is_trouble(const Setback& setback) noexcept {
    return setback.database == store::ErrorClass::connection ||
           setback.database == store::ErrorClass::unavailable ||
           setback.database == store::ErrorClass::schema;
}

}  // namespace sluice::consumer
