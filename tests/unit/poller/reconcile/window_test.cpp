#include "poller/reconcile/window.hpp"

#include <gtest/gtest.h>

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

constexpr std::chrono::sys_days today{std::chrono::year{2026} / 11 / 28};
const WallTime now = today + 12h;

CutWindow cut_at_noon(WallTime from, WallTime until, const Keeping& keeping = {}) {
    return cut({from, until}, now, keeping);
}

TEST(Window, HoldsItsBeginningAndNotItsEnd) {
    const Window window{today, today + 1h};
    EXPECT_TRUE(window.holds(today));
    EXPECT_FALSE(window.holds(today - 1us));
    EXPECT_TRUE(window.holds(today + 1h - 1us));
    EXPECT_FALSE(window.holds(today + 1h));
}

TEST(Window, HoldsADayThatItHoldsToTheLastSecond) {
    EXPECT_TRUE((Window{today, today + days{1}}.holds_day(today)));
    EXPECT_FALSE((Window{today, today + days{1} - 1s}.holds_day(today)));
    EXPECT_FALSE((Window{today + 1s, today + days{2}}.holds_day(today)));
}

TEST(Window, ThatNothingLimitsStaysAsItWasAskedFor) {
    const auto [window, cuts] = cut_at_noon(today - days{2}, now - 15min);
    EXPECT_EQ(window, (Window{today - days{2}, now - 15min}));
    EXPECT_TRUE(cuts.empty());
}

TEST(Window, EndsBeforeWhatMayBeOnItsWay) {
    const auto [window, cuts] = cut_at_noon(today, now - 15min + 1s);
    EXPECT_EQ(window.until, now - 15min);
    ASSERT_EQ(cuts.size(), 1U);
    EXPECT_TRUE(cuts[0].starts_with("its end was cut")) << cuts[0];
    EXPECT_EQ(cut_at_noon(today, now, {.overlap = 1h}).window.until, now - 1h);
}

TEST(Window, WhoseEndIsCutAgainByAnotherClockSaysSoOnce) {
    CutWindow window = cut_at_noon(today, now);
    cut_end(window, now - 30min, 5min);
    EXPECT_EQ(window.window.until, now - 45min);
    EXPECT_EQ(window.cuts.size(), 1U);
    cut_end(window, now, 5min);
    EXPECT_EQ(window.window.until, now - 45min);
}

TEST(Window, WhoseEndOnlyTheOtherClockCutsSaysSo) {
    CutWindow window = cut_at_noon(today, now - 20min);
    ASSERT_TRUE(window.cuts.empty());
    cut_end(window, now - 30min, 5min);
    EXPECT_EQ(window.cuts.size(), 1U);
}

TEST(Window, BeginsWithWhatTheProviderListsForCertain) {
    const auto [window, cuts] = cut_at_noon(today - days{40}, today);
    EXPECT_EQ(window.from, now - days{30} + 1h);
    EXPECT_EQ(cuts.size(), 1U);
}

TEST(Window, BeginsADayAfterWhatTheInboxHasDropped) {
    const Keeping keeping{.dropped_before = today - days{5}};
    EXPECT_EQ(cut_at_noon(today - days{9}, today, keeping).window.from, today - days{4});
    EXPECT_EQ(cut_at_noon(today - days{4}, today, keeping).window.from, today - days{4});
}

TEST(Window, BeginsADayAfterWhatTheInboxKeepsAlsoWhereNothingWasDroppedYet) {
    EXPECT_EQ(cut_at_noon(today - days{9}, today, {.inbox = days{7}}).window.from, today - days{6});
    const Keeping both{.inbox = days{7}, .dropped_before = today - days{20}};
    EXPECT_EQ(cut_at_noon(today - days{9}, today, both).window.from, today - days{6});
}

TEST(Window, OfWhichNothingIsLeftIsEmpty) {
    EXPECT_TRUE(cut_at_noon(now - 5min, now).window.is_empty());
    EXPECT_TRUE(cut_at_noon(today - days{60}, today - days{50}).window.is_empty());
}

}  // namespace
}  // namespace sluice::poller
