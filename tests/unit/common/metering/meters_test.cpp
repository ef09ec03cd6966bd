#include "common/metering/meters.hpp"

#include <gtest/gtest.h>

namespace sluice::metering {
namespace {

using namespace std::chrono_literals;

constexpr Rate one_a_second{.every = 1s, .burst = 1};
constexpr Rate ten_at_once{.every = 1s, .burst = 10};
const SteadyTime start{1h};

Metered account(const std::string& name, Rate rate = one_a_second) {
    return {crypto::sha256(name), rate};
}

bool takes(Meters& meters, std::initializer_list<Metered> all, SteadyTime now = start) {
    return !meters.take({all.begin(), all.size()}, now);
}

Counter& forgotten(Metrics& metrics) {
    return metrics.counter("forgotten_total", "");
}

TEST(Meters, CountEachAccountByItself) {
    Metrics metrics;
    Meters meters{forgotten(metrics)};
    EXPECT_TRUE(takes(meters, {account("a")}));
    EXPECT_FALSE(takes(meters, {account("a")}));
    EXPECT_TRUE(takes(meters, {account("b")}));
    EXPECT_TRUE(takes(meters, {account("a")}, start + 1s));
}

TEST(Meters, TakeOfAllOrOfNone) {
    Metrics metrics;
    Meters meters{forgotten(metrics)};
    EXPECT_TRUE(takes(meters, {account("a"), account("caller", ten_at_once)}));
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(takes(meters, {account("a"), account("caller", ten_at_once)}));
    for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(takes(meters, {account("caller", ten_at_once)}))
            << "a refused request took of the caller";
    EXPECT_FALSE(takes(meters, {account("caller", ten_at_once)}));
}

TEST(Meters, TellTheLongestWait) {
    Metrics metrics;
    Meters meters{forgotten(metrics)};
    const Rate slow{.every = 1min, .burst = 1};
    const std::array both{account("a"), account("b", slow)};
    EXPECT_FALSE(meters.take(both, start));
    EXPECT_EQ(meters.take(both, start), 1min);
}

TEST(Meters, AreAskedWithoutTaking) {
    Metrics metrics;
    Meters meters{forgotten(metrics)};
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(meters.wait(account("a"), start));
    EXPECT_TRUE(takes(meters, {account("a")}));
    EXPECT_EQ(meters.wait(account("a"), start + 400ms), 600ms);
    EXPECT_FALSE(meters.wait(account("b"), start));
}

TEST(Meters, RememberForAWhile) {
    Metrics metrics;
    Meters meters{forgotten(metrics), 1};
    const crypto::Digest one = crypto::sha256("one");
    EXPECT_FALSE(meters.remembers(one, start));
    meters.remember(one, start + 1h, start);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(takes(meters, {account(std::to_string(i))}));
    EXPECT_TRUE(meters.remembers(one, start + 59min)) << "a flood of others drove it out";
    EXPECT_FALSE(meters.remembers(one, start + 1h));
}

TEST(Meters, NeverRefuseANewAccountHoweverManyThereAre) {
    Metrics metrics;
    Meters meters{forgotten(metrics), 1};
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(takes(meters, {account(std::to_string(i))}, start + i * 1ms));
    EXPECT_EQ(forgotten(metrics).Value(), 0);
    EXPECT_TRUE(takes(meters, {account("ninth")}, start + 8ms));
    EXPECT_EQ(forgotten(metrics).Value(), 1);
    EXPECT_FALSE(takes(meters, {account("7")}, start + 9ms)) << "the first that came was nearest to rest";
    EXPECT_TRUE(takes(meters, {account("0")}, start + 9ms));
}

TEST(Meters, ForgetWhoHasMadeUpForAll) {
    Metrics metrics;
    Meters meters{forgotten(metrics), 1};
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(takes(meters, {account(std::to_string(i))}, start + i * 1s));
    EXPECT_EQ(forgotten(metrics).Value(), 0);
}

}  // namespace
}  // namespace sluice::metering
