#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poller/walk/window_walker.hpp"
#include "tests/unit/poller/walk/day.hpp"

namespace sluice::poller {
namespace {

using std::chrono::hours;

using Ids = std::vector<std::string>;

constexpr std::int64_t day = 86'400;

Page page_before(std::vector<Listed> events, std::string next) {
    return {.events = std::move(events), .has_more = true, .next = std::move(next)};
}

/// Half of what a page may have: evt_0 and so on, all of that second.
Page full_page(std::int64_t second) {
    Page page = page_before({}, "t");
    for (int number = 0; number < 50; ++number)
        page.events.push_back(event("evt_" + std::to_string(number), second));
    return page;
}

Ask window(std::int64_t from, std::int64_t until, std::string page = {}) {
    return {.what = Ask::What::all_in,
            .from = at(from),
            .until = at(until),
            .page = std::move(page),
            .limit = 100};
}

Ask without_end(std::int64_t from, std::string page = {}) {
    Ask ask = window(from, 0, std::move(page));
    ask.until = WallTime{};
    return ask;
}

/// A walk with an overlap of 300 s and pages of 100 events, from second 0 on.
class WindowWalkerTest : public testing::Test {
protected:
    void begin(std::int64_t from) { begin(Checkpoint{.complete_until = at(from)}); }
    void begin(Checkpoint from) { walker.emplace(std::move(from), WalkRules{}); }

    /// The page comes, and Kafka keeps what is published, but for `lost`. What was published.
    Ids walk(const Page& page, std::int64_t asked_at, const std::string& lost = "none") {
        static_cast<void>(next(asked_at));
        Ids published;
        std::vector<bool> kept;
        for (const std::size_t event : walker->took(page, at(asked_at))) {
            published.push_back(page.events.at(event).place.id);
            kept.push_back(published.back() != lost);
        }
        const auto foreseen = walker->next_if_kept();
        walker->delivered(kept);
        if (lost == "none" && !walker->is_caught_up() && foreseen) {
            EXPECT_EQ(*foreseen, next(asked_at));
        }
        return published;
    }
    /// What it asks when the list knows the event that it has passed.
    [[nodiscard]] Ask next(std::int64_t now) {
        const Ask ask = walker->next(at(now));
        if (ask.what != Ask::What::one) return ask;
        EXPECT_TRUE(walker->took({}, at(now)).empty());
        walker->delivered({});
        return walker->next(at(now));
    }
    /// The id that it asks for; empty: it asks for a page.
    [[nodiscard]] std::string asks_for(std::int64_t now) {
        const Ask ask = walker->next(at(now));
        return ask.what == Ask::What::one ? ask.id : "";
    }
    /// The second that the row says; -1: it stays as it is.
    [[nodiscard]] std::int64_t written() {
        const auto to = walker->to_write();
        walker->written();
        if (!to) return -1;
        return (to->complete_until - at(0)) / std::chrono::seconds{1};
    }

    std::optional<WindowWalker> walker{std::in_place, Checkpoint{.complete_until = at(0)}, WalkRules{}};
};

TEST_F(WindowWalkerTest, ReadsOneWindowBehindTheOtherToOneWithoutAnEnd) {
    EXPECT_EQ(next(1000), window(0, 60));
    EXPECT_EQ(walk(page({event("evt_1", 0), event("evt_2", 59)}), 1000), (Ids{"evt_1", "evt_2"}));
    EXPECT_EQ(written(), 60);
    EXPECT_EQ(next(1000), window(60, 180)) << "there was little in it";
    EXPECT_EQ(walk({}, 1000), Ids{});
    EXPECT_EQ(next(1000), window(180, 420));
    EXPECT_EQ(walk(page({event("evt_3", 180)}), 1000), Ids{"evt_3"});
    EXPECT_EQ(next(1000), without_end(420)) << "480 s more are not old enough";
    EXPECT_EQ(walk(page({event("evt_4", 999)}), 1000), Ids{"evt_4"});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(written(), 700);
    EXPECT_EQ(next(1060), without_end(700));
    EXPECT_EQ(walk(page({event("evt_5", 800), event("evt_4", 999)}), 1060), Ids{"evt_5"})
        << "what became visible late; the other one was published";
    EXPECT_EQ(written(), 760);
}

TEST_F(WindowWalkerTest, ReadsAllPagesOfItsLastWindow) {
    begin(700);
    EXPECT_EQ(walk(page_before({event("evt_3", 990)}, "t2"), 1001), Ids{"evt_3"});
    EXPECT_EQ(next(1001), without_end(700, "t2"));
    EXPECT_FALSE(walker->to_write()) << "not before the last page";
    EXPECT_EQ(walk(page_before({}, "t3"), 1050), Ids{});
    EXPECT_EQ(next(1050), without_end(700, "t3"));
    EXPECT_EQ(walk(page({event("evt_1", 720), event("evt_2", 720)}), 1100), (Ids{"evt_1", "evt_2"}));
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(written(), 701) << "the first page was asked for at 1001";
    EXPECT_EQ(next(1060), without_end(701));
}

TEST_F(WindowWalkerTest, PassesNothingThatWasYoungAsItsFirstPageWasAsked) {
    begin(700);
    static_cast<void>(walk(page_before({event("evt_3", 990)}, "t2"), 1001));
    static_cast<void>(walk(page({event("evt_1", 720)}), 1900));
    EXPECT_EQ(written(), 701);
}

TEST_F(WindowWalkerTest, HalvesAWindowThatHasMoreThanAPageDownToASecond) {
    for (const std::int64_t width : {60, 30, 15, 7, 3}) {
        EXPECT_EQ(next(1000), window(0, width));
        EXPECT_EQ(walk(full_page(width - 1), 1000), Ids{}) << "it is asked for again";
    }
    EXPECT_EQ(next(1000), window(0, 1));
    EXPECT_EQ(walk(full_page(0), 1000).size(), 50U);
    EXPECT_EQ(next(1000), window(0, 1, "t"));
    EXPECT_EQ(walk(page({event("evt_last", 0)}), 1000), Ids{"evt_last"});
    EXPECT_EQ(written(), 1);
    EXPECT_EQ(next(1000), window(1, 2)) << "it took two pages";
}

TEST_F(WindowWalkerTest, HalvesTheOldPartOfAWindowWithoutAnEnd) {
    begin(100);
    EXPECT_EQ(next(455), without_end(100));
    EXPECT_EQ(walk(full_page(400), 455), Ids{});
    EXPECT_EQ(next(455), window(100, 127));
}

TEST_F(WindowWalkerTest, FollowsThePagesOfAWindowThatAreNotFull) {
    EXPECT_EQ(walk(page_before({event("evt_1", 59)}, "t"), 1000), Ids{"evt_1"});
    EXPECT_EQ(next(1000), window(0, 60, "t"));
    EXPECT_EQ(walk(page_before({}, "u"), 1000), Ids{});
    EXPECT_EQ(next(1000), window(0, 60, "u"));
}

TEST_F(WindowWalkerTest, AsksForAPageAgainUntilKafkaHasAllOfIt) {
    const Page first = page({event("evt_1", 1), event("evt_2", 2)});
    EXPECT_EQ(walk(first, 1000, "evt_1"), (Ids{"evt_1", "evt_2"}));
    EXPECT_FALSE(walker->to_write());
    EXPECT_EQ(next(1000), window(0, 60));
    EXPECT_EQ(walk(first, 1000), Ids{"evt_1"});
    EXPECT_EQ(written(), 60);
}

TEST_F(WindowWalkerTest, KeepsNothingThatNoAnswerWasGivenFor) {
    static_cast<void>(next(1000));
    static_cast<void>(walker->took(page({event("evt_1", 10)}), at(1000)));
    walker->delivered({});
    EXPECT_FALSE(walker->to_write());
    EXPECT_EQ(next(1000), window(0, 60));
}

TEST_F(WindowWalkerTest, BeginsAWindowAgainWhoseTokenIsRefused) {
    begin(700);
    EXPECT_FALSE(walker->place_may_be_gone(at(1000))) << "nothing was asked for";
    EXPECT_EQ(walk(page_before({event("evt_3", 900)}, "t2"), 1000), Ids{"evt_3"});
    EXPECT_TRUE(walker->place_may_be_gone(at(1000)));
    walker->place_is_gone();
    EXPECT_EQ(next(1001), without_end(700));
    EXPECT_EQ(walk(page_before({event("evt_3", 900)}, "t2"), 1001), Ids{}) << "it was published";
    EXPECT_EQ(walk(page({event("evt_1", 720)}), 1110), Ids{"evt_1"});
    EXPECT_EQ(written(), 701) << "by the first page that led to the last";
}

TEST_F(WindowWalkerTest, TakesATokenForGoneOnlySoOften) {
    begin(700);
    for (int time = 0; time < 10; ++time) {
        static_cast<void>(walk(page_before({event("evt_3", 900)}, "t2"), 1000));
        ASSERT_TRUE(walker->place_may_be_gone(at(1000)));
        walker->place_is_gone();
    }
    static_cast<void>(walk(page_before({event("evt_3", 900)}, "t2"), 1000));
    EXPECT_FALSE(walker->place_may_be_gone(at(1000)));
    walker->place_is_gone();
    static_cast<void>(walk(page({event("evt_3", 900)}), 1000));
    static_cast<void>(walk(page_before({event("evt_3", 900)}, "t2"), 1000));
    EXPECT_FALSE(walker->place_may_be_gone(at(1000))) << "a window without tokens says nothing of them";
    static_cast<void>(walk(page({event("evt_4", 800)}), 1000));
    static_cast<void>(walk(page_before({event("evt_3", 900)}, "t2"), 1000));
    EXPECT_TRUE(walker->place_may_be_gone(at(1000))) << "a window was read by its tokens since";
}

TEST_F(WindowWalkerTest, PassesTheNewestEventThatWasOld) {
    static_cast<void>(walk(page({event("evt_2", 59), event("evt_1", 10)}), 1000));
    EXPECT_EQ(walker->to_write(), (Checkpoint{.at = Place{"evt_2", at(59)}, .complete_until = at(60)}));
    walker->written();
    for (int windows = 0; windows < 2; ++windows) static_cast<void>(walk({}, 1000));
    static_cast<void>(walk(page({event("evt_4", 990), unwanted("evt_3", 699)}), 1000));
    EXPECT_EQ(walker->to_write(), (Checkpoint{.at = Place{"evt_3", at(699)}, .complete_until = at(700)}));
}

TEST_F(WindowWalkerTest, EachRoundFirstAsksForTheEventThatItHasPassed) {
    begin({.at = Place{"evt_1", at(500)}, .complete_until = at(700)});
    EXPECT_EQ(asks_for(1000), "evt_1");
    EXPECT_EQ(asks_for(1000), "evt_1") << "no answer came";
    EXPECT_FALSE(walker->place_may_be_gone(at(1000))) << "another account's";
    walker->place_is_gone();
    EXPECT_EQ(asks_for(1000), "evt_1") << "nothing else before the list knows it";
    EXPECT_EQ(next(1000), without_end(700));
    EXPECT_EQ(walk(page({event("evt_2", 800)}), 1000), Ids{"evt_2"});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(asks_for(1060), "evt_1");
}

TEST_F(WindowWalkerTest, AsksForNoEventThatTheProviderForgetsSoon) {
    begin({.at = Place{"evt_1", at(500)}, .complete_until = at(28 * day)});
    EXPECT_EQ(asks_for(29 * day), "evt_1");
    EXPECT_EQ(asks_for(29 * day + 501), "");
}

TEST_F(WindowWalkerTest, BeginsAgainWithSmallerPagesWhereOneIsTooLong) {
    begin(700);
    static_cast<void>(walk(page_before({event("evt_3", 900)}, "t2"), 1000));
    walker->begin_again();
    EXPECT_EQ(next(1000), without_end(700));
}

TEST_F(WindowWalkerTest, DoesNotPassOverAWindowThatWasYoung) {
    begin(100);
    static_cast<void>(walk(full_page(400), 455));
    EXPECT_EQ(next(455), window(100, 127));
    // By a clock that was set back meanwhile, it is younger than the overlap.
    static_cast<void>(walk({}, 420));
    EXPECT_EQ(written(), 120);
    static_cast<void>(walk({}, 800));
    EXPECT_EQ(written(), -1) << "what lies before 127 may yet become visible";
}

TEST_F(WindowWalkerTest, StandsBeforeAnEventThatCanNeverBeKept) {
    static_cast<void>(next(1000));
    const Page first = page({event("evt_1", 1), event("evt_2", 2)});
    EXPECT_EQ(walker->took(first, at(1000)).size(), 2U);
    walker->cannot_keep(0);
    walker->delivered({false, true});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(walker->stuck_at()->id, "evt_1");
    EXPECT_FALSE(walker->to_write());
    EXPECT_EQ(walk(first, 1060), Ids{"evt_1"}) << "the next round tries it again";
    EXPECT_FALSE(walker->stuck_at());
}

TEST_F(WindowWalkerTest, LeavesOutWhatIsNotWanted) {
    EXPECT_EQ(walk(page({unwanted("evt_1", 1), event("evt_2", 2)}), 1000), Ids{"evt_2"});
    EXPECT_EQ(written(), 60);
}

TEST_F(WindowWalkerTest, RemembersNothingThatItsCheckpointHasPassed) {
    EXPECT_EQ(walk(page({event("evt_1", 10)}), 1000), Ids{"evt_1"});
    EXPECT_EQ(walk(page({event("evt_1", 10)}), 1000), Ids{"evt_1"});
}

TEST_F(WindowWalkerTest, StartsAtTheProvidersTimeWhereOurClockIsAhead) {
    begin(1100);
    EXPECT_EQ(next(1100), without_end(1100));
    EXPECT_EQ(walk(page({}), 500), Ids{});
    EXPECT_EQ(written(), 500);
    EXPECT_EQ(next(500), without_end(500));
}

TEST_F(WindowWalkerTest, SaysWhatMayBeMissingSinceItWasForgotten) {
    begin(100);
    EXPECT_EQ(walk({}, 40 * day), Ids{});
    EXPECT_EQ(walker->gap(), (Gap{.from = at(100), .until = at(10 * day) + hours{1}}));
    EXPECT_EQ(written(), 160) << "with the gap";
    EXPECT_FALSE(walker->gap());
}

TEST_F(WindowWalkerTest, FindsTheFirstEventOfAMonthInFewRequests) {
    int requests = 0;
    while (next(29 * day).until != WallTime{}) {
        static_cast<void>(walk({}, 29 * day));
        ++requests;
    }
    EXPECT_LT(requests, 20);
}

TEST_F(WindowWalkerTest, KnowsUntilWhenItHasRead) {
    static_cast<void>(next(1000));
    EXPECT_EQ(walker->read_until(), at(0));
    static_cast<void>(walk({}, 1000));
    EXPECT_EQ(walker->read_until(), at(60));
    for (int windows = 0; windows < 3; ++windows) static_cast<void>(walk({}, 1000));
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(walker->read_until(), WallTime{}) << "the round is over";
}

}  // namespace
}  // namespace sluice::poller
