#include "consumer/retry/policy.hpp"

namespace sluice::consumer {
namespace {

Decision decide_error(store::ErrorClass error, int attempts, int unknown_tries) {
    switch (error) {
        case store::ErrorClass::lost_lock:
            return {Next::contention, {}};
        case store::ErrorClass::connection:
        case store::ErrorClass::unavailable:
        case store::ErrorClass::schema:
            return {Next::trouble, {}};
        case store::ErrorClass::data:
            return {Next::dead, "data"};
        // From the inbox INSERT it is answered before it comes here: this is an effect's own key.
        case store::ErrorClass::duplicate:
            return {Next::dead, "data"};
        case store::ErrorClass::unknown:
            break;
    }
    if (attempts >= unknown_tries) return {Next::dead, "unknown"};
    return {Next::again, {}};
}

}  // namespace

Decision RetryPolicy::decide(effects::Outcome outcome, std::optional<store::ErrorClass> error, int attempts,
                             Milliseconds trying_for) const {
    if (error) return decide_error(*error, attempts, unknown_tries);
    const bool given_up = trying_for >= give_up_after;
    switch (outcome) {
        case effects::Outcome::defer:
            return given_up ? Decision{Next::dead, "deferred"} : Decision{Next::aside, {}};
        case effects::Outcome::retry:
            return given_up ? Decision{Next::dead, "exhausted"} : Decision{Next::again, {}};
        default:
            return {Next::dead, "park"};
    }
}

}  // namespace sluice::consumer
