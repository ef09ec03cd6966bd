#include "consumer/telemetry/burst_watch.hpp"

#include <format>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using std::chrono::minutes;

constexpr unsigned most_an_hour = 10;
constexpr WallTime morning{std::chrono::sys_days{std::chrono::year{2026} / 11 / 22} + std::chrono::hours{9}};

/// How often a burst was told of `events` events, `apart` from each other.
int bursts(BurstWatch& watch, std::string_view object, int events, std::chrono::seconds apart,
           WallTime from = morning) {
    int told = 0;
    for (int i = 0; i < events; ++i) told += watch.saw(object, from + i * apart).has_value() ? 1 : 0;
    return told;
}

TEST(BurstWatch, TellsTheEleventhWithinAnHour) {
    BurstWatch watch{1024, most_an_hour};
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(watch.saw("pi_1", morning + i * minutes{5})) << i;
    EXPECT_EQ(watch.saw("pi_1", morning + minutes{50}), 11U);
}

TEST(BurstWatch, TellsNothingOfTenAnHourForADay) {
    BurstWatch watch{1024, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 240, minutes{6}), 0);
}

TEST(BurstWatch, CountsObjectsApart) {
    BurstWatch watch{1024, most_an_hour};
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(watch.saw("pi_1", morning));
        EXPECT_FALSE(watch.saw("pi_2", morning));
    }
    EXPECT_TRUE(watch.saw("pi_1", morning));
    EXPECT_TRUE(watch.saw("pi_2", morning));
}

TEST(BurstWatch, TellsABurstThatLastsOnceAnHour) {
    BurstWatch watch{1024, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 3 * 60 * 60, std::chrono::seconds{1}), 3);
}

TEST(BurstWatch, ForgetsWhatIsLongerAgoThanAnHour) {
    BurstWatch watch{1024, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 10, std::chrono::seconds{1}), 0);
    EXPECT_EQ(bursts(watch, "pi_1", 10, std::chrono::seconds{1}, morning + minutes{60}), 0);
    EXPECT_EQ(bursts(watch, "pi_1", 1, std::chrono::seconds{1}, morning + minutes{61}), 1);
}

TEST(BurstWatch, SlotsInBetweenAreEmpty) {
    BurstWatch watch{1024, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 10, std::chrono::seconds{1}), 0);
    EXPECT_EQ(bursts(watch, "pi_1", 1, std::chrono::seconds{1}, morning + minutes{59}), 1);
    EXPECT_FALSE(watch.saw("pi_1", morning + std::chrono::hours{48}));
}

TEST(BurstWatch, AnEventThatComesLateCountsAllTheSame) {
    BurstWatch watch{1024, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 10, std::chrono::seconds{1}, morning + minutes{30}), 0);
    EXPECT_TRUE(watch.saw("pi_1", morning - minutes{90}));
}

TEST(BurstWatch, KeepsTheBusyOnesWhenThereIsNoRoom) {
    BurstWatch watch{64, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_hot", 10, std::chrono::seconds{1}), 0);
    for (int i = 0; i < 100'000; ++i)
        EXPECT_FALSE(watch.saw(std::format("pi_{}", i), morning + minutes{1})) << "never too many";
    EXPECT_TRUE(watch.saw("pi_hot", morning + minutes{2}));
}

TEST(BurstWatch, ATimeBeforeAllTimeIsNoTrouble) {
    BurstWatch watch{1, most_an_hour};
    EXPECT_EQ(bursts(watch, "pi_1", 11, std::chrono::seconds{0}, WallTime{}), 1);
}

}  // namespace
}  // namespace sluice::consumer
