#include "consumer/apply/attempt.hpp"

namespace sluice::consumer {

Setback statement_failed(const store::Connection& connection, std::error_code error) {
    Setback setback;
    setback.outcome = effects::Outcome::retry;
    setback.database =
        error.category() == store::category() ? store::class_of(error) : store::ErrorClass::unknown;
    setback.reason = error.message();
    if (setback.database == store::ErrorClass::schema || setback.database == store::ErrorClass::unavailable) {
        // The server names the table, column or right that is missing, never a row's data, in these classes.
        setback.reason = connection.last_error().message;
    }
    return setback;
}

bool is_trouble(const Setback& setback) noexcept {
    return setback.database == store::ErrorClass::connection ||
           setback.database == store::ErrorClass::unavailable ||
           setback.database == store::ErrorClass::schema;
}

}  // namespace sluice::consumer
