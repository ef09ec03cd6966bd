#include "common/time_text.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year;

// 2026-11-21T19:03:22Z
constexpr WallTime moment = sys_days{year{2026} / 11 / 21} + 19h + 3min + 22s;

TEST(TimeText, WritesUtcWithMicroseconds) {
    EXPECT_EQ(to_rfc3339(moment + 123'456us), "2026-11-21T19:03:22.123456Z");
    EXPECT_EQ(to_rfc3339(moment + 7us), "2026-11-21T19:03:22.000007Z");
    EXPECT_EQ(to_rfc3339(WallTime{}), "1970-01-01T00:00:00.000000Z");
}

TEST(TimeText, WritesTimesBeforeTheEpoch) {
    EXPECT_EQ(to_rfc3339(WallTime{-1us}), "1969-12-31T23:59:59.999999Z");
}

TEST(TimeText, ReadsWhatItWrote) {
    for (const auto t : {moment, moment + 999'999us, WallTime{}, WallTime{-1us}}) {
        EXPECT_EQ(from_rfc3339(to_rfc3339(t)), t);
    }
}

TEST(TimeText, ReadsOffsets) {
    EXPECT_EQ(from_rfc3339("2026-11-21T20:03:22+01:00"), moment);
    EXPECT_EQ(from_rfc3339("2026-11-21T13:33:22-05:30"), moment);
    EXPECT_EQ(from_rfc3339("2026-11-22T00:03:22+05:00"), moment);
    EXPECT_EQ(from_rfc3339("2026-11-21t19:03:22z"), moment);
}

TEST(TimeText, ReadsUpToNineDigitsOfFraction) {
    EXPECT_EQ(from_rfc3339("2026-11-21T19:03:22.5Z"), moment + 500ms);
    EXPECT_EQ(from_rfc3339("2026-11-21T19:03:22.000001Z"), moment + 1us);
    EXPECT_EQ(from_rfc3339("2026-11-21T19:03:22.123456999Z"), moment + 123'456us);
    EXPECT_EQ(from_rfc3339("2026-11-21T19:03:22.1234567890Z"), std::nullopt);
    EXPECT_EQ(from_rfc3339("2026-11-21T19:03:22.Z"), std::nullopt);
}

TEST(TimeText, LeapSecondEndsAUtcDayOnly) {
    EXPECT_EQ(from_rfc3339("2016-12-31T23:59:60Z"), sys_days{year{2017} / 1 / 1});
    EXPECT_EQ(from_rfc3339("2017-01-01T00:59:60+01:00"), sys_days{year{2017} / 1 / 1});
    EXPECT_EQ(from_rfc3339("2016-12-31T12:00:60Z"), std::nullopt);
    EXPECT_EQ(from_rfc3339("2016-12-31T23:59:61Z"), std::nullopt);
}

TEST(TimeText, RefusesWhatNeedsFiveDigitsOrASignInUtc) {
    EXPECT_EQ(from_rfc3339("0000-01-01T00:00:00+00:01"), std::nullopt);
    EXPECT_EQ(from_rfc3339("9999-12-31T23:59:59.999999-00:01"), std::nullopt);
    EXPECT_EQ(from_rfc3339("9999-12-31T23:59:60Z"), std::nullopt);
    for (const auto* const text : {"0000-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"})
        EXPECT_EQ(to_rfc3339(from_rfc3339(text).value()), text);
}

TEST(TimeText, RefusesEverythingElse) {
    for (const auto* const text : {"",
                                   "2026-11-21",
                                   "2026-11-21T19:03:22",
                                   "2026-11-21 19:03:22Z",
                                   "2026-11-21T19:03Z",
                                   "2026-11-21T24:00:00Z",
                                   "2026-11-21T19:60:22Z",
                                   "2026-02-29T00:00:00Z",
                                   "2026-13-01T00:00:00Z",
                                   "2026-00-01T00:00:00Z",
                                   "2026-11-00T00:00:00Z",
                                   "2026-11-21T19:03:22+24:00",
                                   "2026-11-21T19:03:22+01:60",
                                   "2026-11-21T19:03:22+0100",
                                   "2026-11-21T19:03:22Z ",
                                   " 2026-11-21T19:03:22Z",
                                   "2026-1-21T19:03:22Z",
                                   "+2026-11-21T19:03:22Z",
                                   "2026-11-21T19:03:-2Z",
                                   "1700000000"}) {
        EXPECT_EQ(from_rfc3339(text), std::nullopt) << text;
    }
}

TEST(TimeText, DayIsTheUtcDayOfTheInstant) {
    EXPECT_EQ(day_of(moment), sys_days{year{2026} / 11 / 21});
    EXPECT_EQ(day_of(WallTime{-1us}), sys_days{year{1969} / 12 / 31});
}

TEST(TimeText, DaysGoThereAndBack) {
    EXPECT_EQ(to_text(sys_days{year{2026} / 1 / 2}), "2026-01-02");
    EXPECT_EQ(day_from_text("2026-01-02"), (sys_days{year{2026} / 1 / 2}));
    EXPECT_EQ(day_from_text("2024-02-29"), (sys_days{year{2024} / 2 / 29}));
    for (const auto* const text : {"", "2026-02-29", "2026-1-2", "2026-01-02 ", "20260102", "undated"}) {
        EXPECT_EQ(day_from_text(text), std::nullopt) << text;
    }
}

TEST(TimeText, DurationIsDigitsAndOneUnit) {
    EXPECT_EQ(duration_from_text("900ms"), 900ms);
    EXPECT_EQ(duration_from_text("10s"), 10s);
    EXPECT_EQ(duration_from_text("5m"), 5min);
    EXPECT_EQ(duration_from_text("72h"), 72h);
    EXPECT_EQ(duration_from_text("90d"), 90 * 24h);
    EXPECT_EQ(duration_from_text("0s"), 0s);
}

TEST(TimeText, DurationRefusesEverythingElse) {
    for (const auto* const text : {"", "10", "s", "10 s", "1.5s", "-1s", "+1s", "1h30m", "10S", "10us",
                                   "10sec", "0x1s", " 10s", "10s ", "99999999999999999999s"}) {
        EXPECT_EQ(duration_from_text(text), std::nullopt) << text;
    }
}

TEST(TimeText, DurationThatOverflowsIsRefused) {
    EXPECT_EQ(duration_from_text("9223372036854775807ms"), milliseconds::max());
    EXPECT_EQ(duration_from_text("9223372036854775808ms"), std::nullopt);
    EXPECT_EQ(duration_from_text("106751991168d"), std::nullopt);
}

}  // namespace
}  // namespace sluice
