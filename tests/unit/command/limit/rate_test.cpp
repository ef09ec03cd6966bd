#include "command/limit/rate.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
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
    const SteadyTime start{1h};
    EXPECT_EQ(requests_taken(spent, start, 10), 3);
    EXPECT_EQ(requests_taken(spent, start + 499ms, 10), 0);
    EXPECT_EQ(requests_taken(spent, start + 500ms, 10), 1);
    EXPECT_EQ(requests_taken(spent, start + 1h, 10), 3) << "no more than the burst is saved up";
}

TEST(Rate, SaysHowLongToWait) {
    SteadyTime spent{};
    const SteadyTime start{1h};
    (void)requests_taken(spent, start, 3);
    EXPECT_EQ(take_one(spent, start, two_a_second).wait, 500ms);
    EXPECT_EQ(take_one(spent, start + 200ms, two_a_second).wait, 300ms);
    EXPECT_EQ(take_one(spent, start, two_a_second).spent_until, spent) << "what is refused takes nothing";
}

TEST(Rate, IsWrittenAsANumberInATime) {
    EXPECT_EQ(parse_rate("50/s")->every, 20ms);
    EXPECT_EQ(parse_rate("50/s")->burst, 50);
    EXPECT_EQ(parse_rate("600/m")->every, 100ms);
    EXPECT_EQ(parse_rate("1/h")->every, 1h);
    for (const auto* text : {"", "50", "0/s", "-1/s", "50/d", "50/", "/s", "1.5/s", "50/s ", "1000001/s"})
        EXPECT_FALSE(parse_rate(text)) << text;
}

std::string problems_of(const std::string& limit, std::optional<AccountLimit>* read = nullptr) {
    config::Problems problems;
    const auto document =
        config::Document::from_text("command: {limit: " + limit + "}", "test.yaml", problems);
    {
        auto section = document.section("command");
        auto limit_read = read_account_limit(section);
        if (read != nullptr) *read = std::move(limit_read);
    }
    return problems.report();
}

TEST(Rate, OfAnAccountNamesItsFields) {
    std::optional<AccountLimit> limit;
    EXPECT_EQ(problems_of("{by: [/merchant, /currency], rate: 50/s, burst: 7}", &limit), "");
    ASSERT_TRUE(limit);
    EXPECT_EQ(limit->by.size(), 2U);
    EXPECT_EQ(limit->rate.burst, 7);
    EXPECT_TRUE(problems_of("{by: merchant, rate: 50/s}").contains("no JSON pointer"));
    EXPECT_TRUE(problems_of("{by: [], rate: 50/s}").contains("1 to 16"));
    EXPECT_TRUE(problems_of("{by: [/merchant]}").contains("rate"));
    EXPECT_TRUE(problems_of("{rate: fast}").contains("such as 50/s"));
    EXPECT_TRUE(problems_of("{rate: 50/s, burst: 0}").contains("burst"));
}

}  // namespace
}  // namespace sluice::command
