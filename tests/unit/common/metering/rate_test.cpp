#include "common/metering/rate.hpp"

#include <gtest/gtest.h>

namespace sluice::metering {
namespace {

using namespace std::chrono_literals;

constexpr Rate two_a_second{.every = 500ms, .burst = 3};

/// How many requests are taken at `at`, of those that come there one after the other.
int requests_taken(SteadyTime& spent_until, SteadyTime at, int asked) {
    int taken = 0;
    for (int i = 0; i < asked; ++i) {
        const Taken one = take_one(spent_until, at, two_a_second);
        spent_until = one.spent_until;
        if (!one.wait) ++taken;
    }
    return taken;
}

TEST(Rate, TakesItsBurstAndThenOneByOne) {
    SteadyTime spent{};
    const SteadyTime begin{1h};
    EXPECT_EQ(requests_taken(spent, begin, 10), 3);
    EXPECT_EQ(requests_taken(spent, begin + 499ms, 10), 0);
    EXPECT_EQ(requests_taken(spent, begin + 500ms, 10), 1);
    EXPECT_EQ(requests_taken(spent, begin + 1h, 10), 3) << "no more than the burst is saved up";
}

TEST(Rate, SaysHowLongToWait) {
    SteadyTime spent{};
    const SteadyTime begin{1h};
    (void)requests_taken(spent, begin, 3);
    EXPECT_EQ(take_one(spent, begin, two_a_second).wait, 500ms);
    EXPECT_EQ(take_one(spent, begin + 200ms, two_a_second).wait, 300ms);
    EXPECT_EQ(take_one(spent, begin, two_a_second).spent_until, spent) << "what is refused takes nothing";
}

TEST(Rate, ForgetsWhatWasTakenUnderASlowerOne) {
    SteadyTime spent{};
    const SteadyTime begin{1h};
    const Rate slow{.every = 1min, .burst = 60};
    for (int i = 0; i < 60; ++i) spent = take_one(spent, begin, slow).spent_until;
    EXPECT_EQ(take_one(spent, begin, slow).wait, 1min);
    EXPECT_EQ(requests_taken(spent, begin, 10), 3) << "it would wait for an hour";
}

TEST(Rate, IsWrittenAsANumberInATime) {
    EXPECT_EQ(parse_rate("50/s")->every, 20ms);
    EXPECT_EQ(parse_rate("50/s")->burst, 50);
    EXPECT_EQ(parse_rate("600/m")->every, 100ms);
    EXPECT_EQ(parse_rate("1/h")->every, 1h);
    for (const auto* text : {"", "50", "0/s", "-1/s", "50/d", "50/", "/s", "1.5/s", "50/s ", "1000001/s"})
        EXPECT_FALSE(parse_rate(text)) << text;
}

}  // namespace
}  // namespace sluice::metering
