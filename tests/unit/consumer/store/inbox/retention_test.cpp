#include "consumer/store/inbox/retention.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::store {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::sys_days;

constexpr days keep{90};
constexpr sys_days today = 2026y / 11 / 21;
constexpr WallTime now = today + 10h;

DayPartition dated(sys_days day) {
    return {partition_name(day), day + days{1}};
}

/// p_undated, the days from `first` to `last`, p_newest.
std::vector<DayPartition> table(sys_days first, sys_days last) {
    std::vector<DayPartition> out{{"p_undated", sys_days{1970y / 1 / 2}}};
    for (auto day = first; day <= last; day += days{1}) out.push_back(dated(day));
    out.push_back({"p_newest", std::nullopt});
    return out;
}

const std::vector<DayPartition> fresh = table(today, today - days{1});

std::vector<std::string> names(const std::vector<DayPartition>& partitions) {
    std::vector<std::string> out;
    for (const auto& partition : partitions) out.push_back(partition.name);
    return out;
}

TEST(Retention, NamesPartitionsByTheirDay) {
    EXPECT_EQ(partition_name(today), "p20261121");
}

TEST(Retention, MakesTodayAndAWeekAheadInAFreshTable) {
    const auto added = days_to_add(fresh, today, keep);
    ASSERT_EQ(added.size(), 8U);
    EXPECT_EQ(added.front(), today);
    EXPECT_EQ(added.back(), today + days{7});
}

TEST(Retention, MakesOneDayADay) {
    EXPECT_EQ(days_to_add(table(today - days{1}, today + days{6}), today, keep),
              (std::vector<sys_days>{today + days{7}}));
    EXPECT_TRUE(days_to_add(table(today, today + days{7}), today, keep).empty());
}

TEST(Retention, FillsTheGapAfterALongStop) {
    const auto added = days_to_add(table(today - days{40}, today - days{20}), today, keep);
    EXPECT_EQ(added.front(), today - days{19});
    EXPECT_EQ(added.size(), 27U);
}

TEST(Retention, FillsNoFurtherBackThanItKeeps) {
    const auto added = days_to_add(table(today - days{900}, today - days{800}), today, keep);
    EXPECT_EQ(added.front(), today - keep);
}

TEST(Retention, NeverMakesADayThatIsThere) {
    for (int behind = 0; behind < 200; ++behind) {
        const auto partitions = table(today - days{behind + 3}, today - days{behind});
        for (const auto day : days_to_add(partitions, today, keep)) {
            EXPECT_FALSE(std::ranges::contains(partitions, partition_name(day), &DayPartition::name));
        }
    }
}

TEST(Retention, AnnouncesTheLastDayPastKeep) {
    const auto partitions = table(today - days{95}, today);
    EXPECT_EQ(day_to_announce(partitions, today, keep, now, std::nullopt), today - keep);
}

TEST(Retention, AnnouncesNothingWhenEverythingIsYoung) {
    EXPECT_EQ(day_to_announce(table(today - days{90}, today), today, keep, now, std::nullopt), std::nullopt);
    EXPECT_EQ(day_to_announce(fresh, today, keep, now, std::nullopt), std::nullopt);
}

TEST(Retention, NeverAnnouncesTheUndatedBucketOrTheNewest) {
    const std::vector<DayPartition> bare{{"p_undated", sys_days{1970y / 1 / 2}}, {"p_newest", std::nullopt}};
    EXPECT_EQ(day_to_announce(bare, today, days{0}, now, std::nullopt), std::nullopt);
}

TEST(Retention, KeepsAPromiseBeforeItMakesTheNext) {
    const auto partitions = table(today - days{95}, today);
    const Announcement young{today - days{92}, now - 24h + 1us};
    const Announcement old{today - days{92}, now - 24h};
    EXPECT_EQ(day_to_announce(partitions, today, keep, now, young), std::nullopt);
    EXPECT_EQ(day_to_announce(partitions, today, keep, now, old), today - keep);
}

TEST(Retention, NeverTakesAPromiseBack) {
    const Announcement further{today - days{10}, now - 48h};
    EXPECT_EQ(day_to_announce(table(today - days{95}, today), today, keep, now, further), std::nullopt);
}

TEST(Retention, DropsNothingWithoutAPromise) {
    EXPECT_TRUE(partitions_to_drop(table(today - days{95}, today), today, keep, now, std::nullopt).empty());
}

TEST(Retention, DropsADayAfterThePromiseAndNotBefore) {
    const auto partitions = table(today - days{92}, today);
    const Announcement young{today - keep, now - 24h + 1us};
    const Announcement old{today - keep, now - 24h};
    EXPECT_TRUE(partitions_to_drop(partitions, today, keep, now, young).empty());
    EXPECT_EQ(names(partitions_to_drop(partitions, today, keep, now, old)),
              (std::vector<std::string>{"p20260821", "p20260822"}));
}

TEST(Retention, DropsOnlyWhatWasPromised) {
    const Announcement less{today - days{91}, now - 48h};
    EXPECT_EQ(names(partitions_to_drop(table(today - days{92}, today), today, keep, now, less)),
              (std::vector<std::string>{"p20260821"}));
}

TEST(Retention, DropsNothingThatALongerKeepHolds) {
    const Announcement old{today - keep, now - 48h};
    EXPECT_TRUE(partitions_to_drop(table(today - days{92}, today), today, days{120}, now, old).empty());
}

TEST(Retention, NeverDropsTheUndatedBucketOrTheNewest) {
    const Announcement everything{today + days{1}, now - 48h};
    for (const auto& partition :
         partitions_to_drop(table(today - days{5}, today), today, days{0}, now, everything)) {
        EXPECT_TRUE(partition.name.starts_with("p2026")) << partition.name;
    }
}

TEST(Retention, CountsTheDaysAhead) {
    EXPECT_EQ(days_ahead(table(today, today + days{7}), today), 7);
    EXPECT_EQ(days_ahead(table(today - days{3}, today), today), 0);
    EXPECT_EQ(days_ahead(table(today - days{3}, today - days{1}), today), -1);
    EXPECT_EQ(days_ahead(fresh, today), -1);
}

}  // namespace
}  // namespace sluice::store
