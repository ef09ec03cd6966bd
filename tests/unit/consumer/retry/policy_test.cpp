#include "consumer/retry/policy.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using effects::Outcome;
using store::ErrorClass;

const RetryPolicy policy{.give_up_after = Milliseconds{30'000}, .unknown_tries = 3};

TEST(RetryPolicy, LostLocksWaitWithoutEnd) {
    const auto decision =
        policy.decide(Outcome::retry, ErrorClass::lost_lock, 1'000'000, Milliseconds{86'400'000});
    EXPECT_EQ(decision.next, Next::contention);
}

TEST(RetryPolicy, InfrastructureNeverDeadLetters) {
    for (const auto error : {ErrorClass::connection, ErrorClass::unavailable, ErrorClass::schema}) {
        EXPECT_EQ(policy.decide(Outcome::retry, error, 1'000'000, Milliseconds{86'400'000}).next,
                  Next::trouble);
    }
}

TEST(RetryPolicy, DataErrorsAreDeadAtOnce) {
    const auto decision = policy.decide(Outcome::park, ErrorClass::data, 1, Milliseconds{0});
    EXPECT_EQ(decision.next, Next::dead);
    EXPECT_EQ(decision.error_class, "data");
}

TEST(RetryPolicy, AnotherUniqueKeyIsABusinessError) {
    EXPECT_EQ(policy.decide(Outcome::park, ErrorClass::duplicate, 1, Milliseconds{0}).next, Next::dead);
}

TEST(RetryPolicy, UnknownErrorsGetAFewTries) {
    EXPECT_EQ(policy.decide(Outcome::retry, ErrorClass::unknown, 2, Milliseconds{0}).next, Next::again);
    const auto decision = policy.decide(Outcome::retry, ErrorClass::unknown, 3, Milliseconds{0});
    EXPECT_EQ(decision.next, Next::dead);
    EXPECT_EQ(decision.error_class, "unknown");
}

TEST(RetryPolicy, DeferredEventsStepAsideUntilTheyAreGivenUp) {
    EXPECT_EQ(policy.decide(Outcome::defer, {}, 1, Milliseconds{0}).next, Next::aside);
    EXPECT_EQ(policy.decide(Outcome::defer, {}, 90, Milliseconds{29'999}).next, Next::aside);
    const auto decision = policy.decide(Outcome::defer, {}, 90, Milliseconds{30'000});
    EXPECT_EQ(decision.next, Next::dead);
    EXPECT_EQ(decision.error_class, "deferred");
}

TEST(RetryPolicy, RetriedEventsHoldUntilTheyAreExhausted) {
    EXPECT_EQ(policy.decide(Outcome::retry, {}, 1, Milliseconds{0}).next, Next::again);
    const auto decision = policy.decide(Outcome::retry, {}, 9, Milliseconds{30'000});
    EXPECT_EQ(decision.next, Next::dead);
    EXPECT_EQ(decision.error_class, "exhausted");
}

TEST(RetryPolicy, ParkedEventsAreDeadAtOnce) {
    const auto decision = policy.decide(Outcome::park, {}, 1, Milliseconds{0});
    EXPECT_EQ(decision.next, Next::dead);
    EXPECT_EQ(decision.error_class, "park");
}

TEST(Backoff, DoublesUpToItsMostAndTakesAtMostAQuarterOff) {
    const Backoff backoff{Milliseconds{50}, Milliseconds{400}};
    Random random{7};
    for (int failures = 1; failures < 12; ++failures) {
        const auto full = std::min<std::int64_t>(50LL << (failures - 1), 400);
        for (int i = 0; i < 50; ++i) {
            const auto delay = backoff.after(failures, random).count();
            EXPECT_LE(delay, full);
            EXPECT_GE(delay, full - full / 4);
        }
    }
}

}  // namespace
}  // namespace sluice::consumer
