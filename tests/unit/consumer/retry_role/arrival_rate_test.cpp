#include "consumer/retry_role/arrival_rate.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime first_look{1000s};

TopicEnds one(std::int64_t end) {
    return {{0, end}};
}

TEST(ArrivalRate, IsKnownAfterHalfAMinute) {
    ArrivalRate rate;
    EXPECT_EQ(rate.per_second(), std::nullopt);
    rate.saw(first_look, one(5'000));
    rate.saw(first_look + 29s, one(5'290));
    EXPECT_EQ(rate.per_second(), std::nullopt);
    rate.saw(first_look + 30s, one(5'300));
    EXPECT_EQ(rate.per_second(), 10);
}

TEST(ArrivalRate, IsAnAverageOverTwoMinutes) {
    ArrivalRate rate;
    for (int look = 0; look <= 60; ++look) rate.saw(first_look + look * 10s, one(look * 100));
    for (int look = 61; look <= 66; ++look)
        rate.saw(first_look + look * 10s, one(6'000 + (look - 60) * 1'000));
    EXPECT_EQ(rate.per_second(), 55) << "a minute of 10 and a minute of 100";
}

TEST(ArrivalRate, SpansLooksThatWereMissed) {
    ArrivalRate rate;
    rate.saw(first_look, one(0));
    rate.saw(first_look + 300s, one(3'000));
    EXPECT_EQ(rate.per_second(), 10);
}

TEST(ArrivalRate, BeginsAnewWithANewTopic) {
    ArrivalRate rate;
    rate.saw(first_look, one(5'000));
    rate.saw(first_look + 60s, one(6'000));
    rate.saw(first_look + 70s, one(10));
    EXPECT_EQ(rate.per_second(), std::nullopt);
    rate.saw(first_look + 100s, one(310));
    EXPECT_EQ(rate.per_second(), 10);
}

TEST(ArrivalRate, ComparesNoLooksAtOtherPartitions) {
    ArrivalRate rate;
    rate.saw(first_look, {{0, 5'000}, {1, 900'000}});
    rate.saw(first_look + 60s, {{0, 5'000}, {2, 990'000}});
    EXPECT_EQ(rate.per_second(), std::nullopt) << "another leader is back: those events are old";
}

TEST(ArrivalRate, BeginsAnewWhereOneLogWasCut) {
    ArrivalRate rate;
    rate.saw(first_look, {{0, 5'000}, {1, 5'000}});
    rate.saw(first_look + 60s, {{0, 10}, {1, 50'000}});
    EXPECT_EQ(rate.per_second(), std::nullopt);
}

TEST(PodsFor, GivesEachPodAsManyPartitions) {
    EXPECT_EQ(pods_for(0, 160, 12), 1);
    EXPECT_EQ(pods_for(160, 160, 12), 1);
    EXPECT_EQ(pods_for(161, 160, 12), 2);
    EXPECT_EQ(pods_for(700, 160, 12), 6) << "five would not divide the partitions";
    EXPECT_EQ(pods_for(1'000, 160, 12), 12);
    EXPECT_EQ(pods_for(90'000, 160, 12), 12) << "more would be idle";
    EXPECT_EQ(pods_for(200, 160, 7), 7);
    EXPECT_EQ(pods_for(1'000, 1, 1), 1);
}

}  // namespace
}  // namespace sluice::consumer
