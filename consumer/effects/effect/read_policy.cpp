#include "consumer/effects/effect/read_policy.hpp"

namespace sluice::effects {
namespace {

constexpr int most_attempts = 1000;
constexpr Milliseconds least_time = std::chrono::seconds{1};
constexpr Milliseconds most_time = std::chrono::days{30};

void read_retry(config::Section retry, lane::Policy& policy) {
    policy.attempts = static_cast<int>(retry.integer("attempts", policy.attempts, 0, most_attempts));
    policy.horizon = retry.duration("horizon", policy.horizon, least_time, most_time);
}

void read_defer(config::Section defer, lane::Policy& policy) {
    policy.defer_for = defer.duration("for", policy.defer_for, least_time, most_time);
}

}  // namespace

lane::Policy read_policy(config::Section& effect) {
    lane::Policy policy;
    read_retry(effect.section("retry"), policy);
    read_defer(effect.section("defer"), policy);
    policy.hold_while_deferred = effect.one_of("while_deferred", {"hold", "pass"}, "pass") == "hold";
    policy.skip_superseded =
        effect.one_of("after_dead", {"hold", "skip_superseded"}, "hold") == "skip_superseded";
    policy.pass_after_case = effect.one_of("after_case", {"hold", "pass"}, "hold") == "pass";
    return policy;
}

}  // namespace sluice::effects
