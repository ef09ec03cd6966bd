#include <chrono>

#include <gtest/gtest.h>

#include "poller/walk/time_start.hpp"
#include "tests/unit/poller/walk/day.hpp"

namespace sluice::poller {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using enum TimeStart::Then;

constexpr int month = 30 * 86'400;

class TimeStartTest : public testing::Test {
protected:
    static constexpr seconds overlap{300};

    [[nodiscard]] Ask next() { return start.next(now, overlap, 100); }
    [[nodiscard]] TimeStart::Then took(const Page& page) {
        return start.took(page, now, overlap, now - days{29});
    }
    /// How many requests until it rests, where every window is empty.
    int requests_for_nothing() {
        int requests = 1;
        for (; static_cast<void>(next()), took({}) == ask_again; ++requests) {
        }
        return requests;
    }
    void windows() { start = TimeStart{at(0), TimeStart::Step::windows}; }
    void backwards() { start = TimeStart{at(0), TimeStart::Step::backwards}; }

    WallTime now = at(month);
    TimeStart start{at(0), TimeStart::Step::newest_before};
};

Ask window(WallTime from, WallTime until, std::string before = {}) {
    return {
        .what = Ask::What::oldest_in, .id = std::move(before), .from = from, .until = until, .limit = 100};
}

Ask before(std::string id) {
    return {.what = Ask::What::before, .id = std::move(id), .limit = 100};
}

TEST_F(TimeStartTest, GoesBehindTheNewestEventBeforeItsTime) {
    now = at(86'400);
    EXPECT_EQ(next(), (Ask{.what = Ask::What::newest_before, .until = at(0), .limit = 100}));
    EXPECT_EQ(took(page({event("evt_1", -5)})), go_behind);
}

TEST_F(TimeStartTest, TakesAnOlderPlaceWhereTheNewestEventHasNone) {
    now = at(86'400);
    EXPECT_GT(next().limit, 1) << "one without an id is no page where more stand behind it";
    EXPECT_EQ(took(page_and_more({event("evt_1", -9), event("evt_2", -5)})), go_behind);
}

TEST_F(TimeStartTest, GoesBehindNoPageThatIsNotWhollyBeforeItsTime) {
    now = at(86'400);
    EXPECT_EQ(took(page({event("evt_1", 0), event("evt_2", -5)})), ask_again);
    EXPECT_EQ(next().what, Ask::What::oldest_in);
}

TEST_F(TimeStartTest, TakesNoPlaceThatIsForgottenSoon) {
    now = at(86'400);
    EXPECT_EQ(took(page({event("evt_1", -month)})), ask_again);
    EXPECT_EQ(next(), window(at(0), at(60)));
}

TEST_F(TimeStartTest, TakesNoPlaceThatIsNotBeforeItsTime) {
    now = at(86'400);
    EXPECT_EQ(took(page({event("evt_1", 0)})), ask_again);
    EXPECT_EQ(next().what, Ask::What::oldest_in);
}

TEST_F(TimeStartTest, AsksTheSameWhereNoAnswerCame) {
    windows();
    EXPECT_EQ(next(), next());
}

TEST_F(TimeStartTest, DoublesItsWindowsWhileTheyAreEmpty) {
    windows();
    EXPECT_EQ(next(), window(at(0), at(60)));
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(60), at(180)));
    EXPECT_EQ(start.from(), at(60));
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(180), at(420)));
}

TEST_F(TimeStartTest, RestsAtTheEndOfAnEmptyMonthAfterAFewRequests) {
    windows();
    EXPECT_LE(requests_for_nothing(), 17);
    EXPECT_EQ(next().until, WallTime{});
}

TEST_F(TimeStartTest, ReadsTheFirstPageThatIsTheWholeWindow) {
    windows();
    static_cast<void>(next());
    EXPECT_EQ(took(page({event("evt_1", 3), event("evt_2", 3)})), read_page);
    EXPECT_EQ(next(), window(at(0), at(60))) << "it may have to be read again";
}

TEST_F(TimeStartTest, HalvesAFullWindowDownToASecondAndReadsThatBackwards) {
    windows();
    for (const int width : {60, 30, 15, 7, 3, 1}) {
        EXPECT_EQ(next(), window(at(0), at(width)));
        EXPECT_EQ(took(page_and_more({event("evt_9", 0)})), ask_again);
    }
    EXPECT_EQ(next(), window(at(0), at(1), "evt_9"));
    EXPECT_EQ(took(page_and_more({event("evt_8", 0)})), ask_again);
    EXPECT_EQ(next(), window(at(0), at(1), "evt_8"));
    EXPECT_EQ(took(page({event("evt_7", 0)})), read_page);
}

TEST_F(TimeStartTest, GoesOnWithTheOtherHalfWhereTheFirstIsEmpty) {
    windows();
    static_cast<void>(next());
    static_cast<void>(took(page_and_more({event("evt_1", 50)})));
    EXPECT_EQ(next(), window(at(0), at(30)));
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(30), at(60)));
    // They were forgotten meanwhile.
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(60), at(120)));
}

TEST_F(TimeStartTest, ReadsAWindowFromItsNewestAgainWhereTheRestIsGone) {
    windows();
    for (int halves = 0; halves < 6; ++halves) {
        static_cast<void>(next());
        static_cast<void>(took(page_and_more({event("evt_9", 0)})));
    }
    EXPECT_EQ(next().id, "evt_9");
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(0), at(1)));
}

TEST_F(TimeStartTest, FindsTheFirstOfManyEventsAfterWeeksWithoutAny) {
    windows();
    const WallTime first = at(1'700'003);  // and from then on some each second
    int requests = 0;
    for (auto then = ask_again; then == ask_again; ++requests) {
        const Ask ask = next();
        const WallTime until = ask.until == WallTime{} ? now : ask.until;
        if (until <= first) {
            then = took({});
        } else {
            then = took({.events = {{.place = {.id = "evt_1", .created = first}}},
                         .has_more = until > first + seconds{1}});
        }
    }
    EXPECT_LE(requests, 50);
    EXPECT_LE(start.from(), first);
}

TEST_F(TimeStartTest, LeavesNoWindowThatIsYoungerThanTheOverlap) {
    windows();
    // Our own clock is ahead: the window is younger than it seemed.
    EXPECT_EQ(next(), window(at(0), at(60)));
    now = at(359);
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(start.from(), at(0));
    EXPECT_EQ(next(), window(at(0), WallTime{}));
    EXPECT_EQ(took({}), rest);
}

TEST_F(TimeStartTest, ReadsAYoungWindowBackwards) {
    windows();
    now = at(310);
    EXPECT_EQ(next(), window(at(0), WallTime{}));
    EXPECT_EQ(took(page_and_more({event("evt_9", 200)})), ask_again);
    EXPECT_EQ(next(), window(at(0), at(155))) << "it is halved";
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), window(at(0), WallTime{})) << "events may yet be listed in the half";
    EXPECT_EQ(took(page_and_more({event("evt_9", 200)})), ask_again);
    EXPECT_EQ(next(), window(at(0), WallTime{}, "evt_9"));
}

TEST_F(TimeStartTest, BeginsAtTheProvidersTimeWhereOurClockIsAhead) {
    now = at(-600);
    static_cast<void>(next());
    EXPECT_EQ(took({}), ask_again);
    EXPECT_EQ(next(), (Ask{.what = Ask::What::newest_before, .until = at(-600), .limit = 100}));
    EXPECT_EQ(start.from(), at(-600));
}

TEST_F(TimeStartTest, ReadsAListWithoutTimesBackwardsToItsTime) {
    backwards();
    EXPECT_EQ(next(), before(""));
    EXPECT_EQ(took(page_and_more({event("evt_8", 20), event("evt_9", 30)})), ask_again);
    EXPECT_EQ(next(), before("evt_8"));
    EXPECT_EQ(next(), before("evt_8")) << "no answer came";
    EXPECT_EQ(took(page_and_more({event("evt_6", -1), event("evt_7", 0)})), go_behind);
}

TEST_F(TimeStartTest, BeginsAListWithoutTimesWithItsOldestEvents) {
    backwards();
    EXPECT_EQ(took(page({event("evt_1", 0), event("evt_2", 30)})), read_page);
    EXPECT_EQ(took({}), rest);
    start.resume(now - overlap);
    EXPECT_EQ(next(), before("")) << "each round as the first one";
}

TEST_F(TimeStartTest, BeginsAListWithoutTimesWithoutWhatHasNoPlaceOrIsGone) {
    backwards();
    static_cast<void>(took(page_and_more({event("evt_2", 20)})));
    EXPECT_EQ(took({}), ask_again) << "something stood before it";
    EXPECT_EQ(next(), (Ask{.what = Ask::What::behind, .limit = 100}));
    EXPECT_EQ(took(page_and_more({event("evt_2", 20)})), read_page);
    EXPECT_EQ(took({}), rest);
    start.resume(now - overlap);
    EXPECT_EQ(next(), before(""));
}

TEST_F(TimeStartTest, BeginsAListWithoutTimesAtTheProvidersTimeToo) {
    backwards();
    now = at(-600);
    EXPECT_EQ(took(page({event("evt_1", -700)})), ask_again);
    EXPECT_EQ(start.from(), at(-600));
    EXPECT_EQ(took(page({event("evt_1", -700)})), go_behind);
}

TEST_F(TimeStartTest, NeedsOneRequestInARoundWhereNothingComes) {
    windows();
    static_cast<void>(requests_for_nothing());
    start.resume(now - overlap);
    now += seconds{60};
    EXPECT_EQ(next(), window(at(month - 300), WallTime{}));
    EXPECT_EQ(took({}), rest);
}

}  // namespace
}  // namespace sluice::poller
