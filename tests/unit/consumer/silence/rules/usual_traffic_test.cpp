#include "consumer/silence/rules/usual_traffic.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::silence {
namespace {

using namespace std::chrono_literals;

constexpr WallTime monday = std::chrono::sys_days{std::chrono::year{2026} / 1 / 5};

UsualTraffic::Hour hour_at(int hour) {
    return std::chrono::floor<std::chrono::hours>(monday) + std::chrono::hours{hour};
}

/// So many events in an hour, each `every` hours for so many weeks.
std::vector<HourTraffic> each(int every, std::int64_t events, int weeks) {
    std::vector<HourTraffic> hours;
    for (int hour = 0; hour < weeks * 168; hour += every) hours.push_back({hour_at(hour), events});
    return hours;
}

/// When silence is strange if the newest event came `weeks` after the first.
std::optional<std::chrono::seconds> strange_after(const std::vector<HourTraffic>& hours, int weeks) {
    return UsualTraffic{hours, hour_at(168 * weeks)}.strange_after(monday + std::chrono::weeks{weeks});
}

TEST(UsualTraffic, IsNotKnownWithinTheFirstWeek) {
    const UsualTraffic usual{each(1, 100, 1), hour_at(167)};
    EXPECT_FALSE(usual.strange_after(monday + 167h));
    EXPECT_FALSE(usual.longest_usual_silence());
    EXPECT_FALSE(strange_after({}, 3));
}

TEST(UsualTraffic, FindsItStrangeThatAHundredAndFiftyUsualEventsDoNotCome) {
    EXPECT_EQ(strange_after(each(1, 300, 1), 1), 30min);
    EXPECT_EQ(strange_after(each(1, 300, 8), 8), 30min);
    EXPECT_EQ(strange_after(each(1, 50, 8), 8), 3h);
}

TEST(UsualTraffic, BeginsAtTheNewestEvent) {
    const UsualTraffic usual{each(1, 60, 8), hour_at(168 * 8)};
    EXPECT_EQ(usual.strange_after(WallTime{hour_at(168 * 8)} + 59min), 150min);
}

TEST(UsualTraffic, NeverFindsTenMinutesStrange) {
    EXPECT_EQ(strange_after(each(1, 100'000, 8), 8), 10min);
}

TEST(UsualTraffic, DoesNotLearnFromBeforeEightWeeks) {
    auto hours = each(1, 1000, 20);
    for (HourTraffic& one : hours)
        if (one.hour >= hour_at(12 * 168)) one.events = 50;
    EXPECT_EQ(strange_after(hours, 20), 3h);
}

TEST(UsualTraffic, TakesNeitherAnOutageNorAFloodForUsual) {
    auto hours = each(1, 50, 8);
    for (HourTraffic& one : hours)
        if (one.hour < hour_at(3 * 168)) one.events = 5000;
    EXPECT_EQ(strange_after(hours, 8), 3h);
    std::erase_if(hours, [](const HourTraffic& one) {
        return one.hour > hour_at(5 * 168) && one.hour < hour_at(6 * 168);
    });
    EXPECT_EQ(strange_after(hours, 8), 3h);
}

TEST(UsualTraffic, OfFewEventsFindsADayAndThreeTimesTheLongestSilenceStrange) {
    EXPECT_EQ(strange_after(each(1, 1, 8), 8), 24h);
    EXPECT_EQ(strange_after(each(24, 1, 8), 8), 72h);
}

TEST(UsualTraffic, LeavesOutTheLongestSilenceOfAMonthButOfNoShorterTime) {
    auto hours = each(24, 1, 8);
    std::erase_if(hours, [](const HourTraffic& one) {
        return one.hour > hour_at(20 * 24) && one.hour < hour_at(27 * 24);
    });
    EXPECT_EQ((UsualTraffic{hours, hour_at(168 * 8)}.longest_usual_silence()), 24h);
    EXPECT_EQ((UsualTraffic{hours, hour_at(168 * 4)}.longest_usual_silence()), 24h);
    auto three_weeks = each(24, 1, 3);
    std::erase_if(three_weeks, [](const HourTraffic& one) { return one.hour == hour_at(5 * 24); });
    EXPECT_EQ((UsualTraffic{three_weeks, hour_at(168 * 3)}.longest_usual_silence()), 48h)
        << "a weekend, maybe";
}

TEST(UsualTraffic, TakesTheLeastOfNeighboursForClocksThatChange) {
    std::vector<HourTraffic> hours;
    for (int week = 0; week < 8; ++week)
        for (const int hour : {9, 10}) hours.push_back({hour_at(168 * week + hour), 9999});
    EXPECT_EQ(strange_after(hours, 8), 3 * 167h)
        << "two busy hours a week may come an hour earlier or later: only the longest silence counts";
}

// A year: nights, weekends, summer time, a holiday week with a fifth of the traffic, and outages.
class Year {
public:
    explicit Year(unsigned seed) : random_{seed} {}
    virtual ~Year() = default;

    struct Outage {
        WallTime from;
        WallTime until;
    };
    struct Alarm {
        WallTime at;
        bool in_an_outage;
    };

    /// When an alarm began.
    std::vector<Alarm> alarms(const std::vector<Outage>& outages) {
        std::vector<HourTraffic> hours;
        std::vector<Alarm> found;
        std::optional<WallTime> newest;
        std::optional<UsualTraffic> usual;
        std::optional<std::chrono::seconds> after;
        bool rings = false;
        for (WallTime now = monday; now < monday + std::chrono::days{365}; now += step) {
            const bool is_out = std::ranges::any_of(
                outages, [&](const Outage& one) { return now >= one.from && now < one.until; });
            if (const auto events = is_out ? 0 : come(now); events > 0) {
                const auto hour = std::chrono::floor<std::chrono::hours>(now);
                if (hours.empty() || hours.back().hour != hour) hours.push_back({hour, 0});
                hours.back().events += events;
                newest = now;
                if (!usual || usual->learned_until() != hour) usual.emplace(hours, hour);
                after = usual->strange_after(now);
            }
            const bool is_strange = after && now - *newest > *after;
            if (is_strange && !rings) found.push_back({now, is_out});
            rings = is_strange;
        }
        return found;
    }

protected:
    static constexpr std::chrono::minutes step{5};

    /// Events an hour in a usual week; `local` is the provider's time.
    [[nodiscard]] virtual double usual(std::chrono::hh_mm_ss<std::chrono::minutes> local,
                                       bool weekend) const = 0;

private:
    std::int64_t come(WallTime now) {
        const auto day = std::chrono::floor<std::chrono::days>(now);
        const std::chrono::year_month_day date{day};
        const bool summer =
            date >= std::chrono::year{2026} / 3 / 29 && date < std::chrono::year{2026} / 10 / 25;
        const WallTime local = now + (summer ? 2h : 1h);
        const auto local_day = std::chrono::floor<std::chrono::days>(local);
        const std::chrono::weekday weekday{local_day};
        const bool weekend = weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
        const bool holiday =
            date >= std::chrono::year{2026} / 12 / 24 || date == std::chrono::year{2026} / 5 / 1;
        const double rate =
            usual(std::chrono::hh_mm_ss{std::chrono::floor<std::chrono::minutes>(local - local_day)},
                  weekend) *
            (holiday ? 0.2 : 1);
        if (rate <= 0) return 0;
        return std::poisson_distribution<std::int64_t>{
            rate * step / std::chrono::duration<double, std::ratio<3600>>{1}}(random_);
    }

    std::mt19937 random_;
};

/// Thousands a day, a tenth of them at night.
class Shop : public Year {
    using Year::Year;
    [[nodiscard]] double usual(std::chrono::hh_mm_ss<std::chrono::minutes> local,
                               bool weekend) const override {
        const double of_day = local.hours() >= 7h && local.hours() < 23h ? 600 : 60;
        return weekend ? of_day * 0.7 : of_day;
    }
};

/// Nothing at night and at weekends.
class Office : public Year {
    using Year::Year;
    [[nodiscard]] double usual(std::chrono::hh_mm_ss<std::chrono::minutes> local,
                               bool weekend) const override {
        return !weekend && local.hours() >= 8h && local.hours() < 18h ? 40 : 0;
    }
};

/// Some a day.
class Small : public Year {
    using Year::Year;
    [[nodiscard]] double usual(std::chrono::hh_mm_ss<std::chrono::minutes>, bool weekend) const override {
        return weekend ? 0.3 : 0.6;
    }
};

WallTime at(int month, int day, std::chrono::hours hour) {
    return WallTime{std::chrono::sys_days{std::chrono::year{2026} / month / day}} + hour;
}

/// Three alarms, each within its outage.
void expect_three(Year& year, const std::array<Year::Outage, 3>& outages, const char* what) {
    const auto alarms = year.alarms({outages.begin(), outages.end()});
    ASSERT_EQ(alarms.size(), 3U) << what;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(alarms[i].in_an_outage) << what;
        EXPECT_GE(alarms[i].at, outages[i].from) << what;
        EXPECT_LT(alarms[i].at, outages[i].until) << what;
    }
}

TEST(UsualTraffic, RingsForThreeOutagesOfAYearAndForNothingElse) {
    Shop shop{1};
    expect_three(shop,
                 {{{at(3, 10, 10h), at(3, 10, 12h)},
                   {at(8, 1, 12h), at(8, 1, 14h)},      // a Saturday
                   {at(11, 24, 0h), at(11, 24, 9h)}}},  // begins at night
                 "shop");
    Office office{1};
    expect_three(office,
                 {{{at(3, 10, 7h), at(3, 10, 17h)},
                   {at(8, 3, 5h), at(8, 4, 20h)},
                   {at(11, 24, 10h), at(11, 26, 10h)}}},
                 "office");
    Small small{1};
    expect_three(
        small,
        {{{at(3, 10, 0h), at(3, 17, 0h)}, {at(8, 3, 0h), at(8, 9, 0h)}, {at(11, 20, 0h), at(11, 27, 0h)}}},
        "small");
}

}  // namespace
}  // namespace sluice::silence
