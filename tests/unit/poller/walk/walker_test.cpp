#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poller/walk/walker.hpp"
#include "tests/unit/poller/walk/day.hpp"

namespace sluice::poller {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

Checkpoint checkpoint(std::string id, std::int64_t created, std::int64_t complete_until) {
    return {.at = Place{.id = std::move(id), .created = at(created)}, .complete_until = at(complete_until)};
}

/// A walk with an overlap of 300 s, at evt_0 of second 0.
class WalkerTest : public testing::Test {
protected:
    void begin(Checkpoint from, bool by_time = true) {
        walker.emplace(std::move(from), WalkRules{.by_time = by_time});
    }

    /// The page comes, and Kafka keeps what is published, but for `lost`. What was published.
    std::vector<std::string> walk(const Page& page, std::int64_t asked_at, const std::string& lost = "none") {
        static_cast<void>(walker->next(at(asked_at)));
        std::vector<std::string> published;
        std::vector<bool> kept;
        for (const std::size_t event : walker->took(page, at(asked_at))) {
            published.push_back(page.events.at(event).place.id);
            kept.push_back(published.back() != lost);
        }
        const auto foreseen = walker->next_if_kept();
        walker->delivered(kept);
        if (foreseen && lost == "none") {
            EXPECT_EQ(*foreseen, walker->next(at(asked_at)));
        }
        return published;
    }
    [[nodiscard]] Ask next(std::int64_t now) { return walker->next(at(now)); }
    [[nodiscard]] std::optional<Checkpoint> written() {
        const auto to = walker->to_write();
        walker->written();
        return to;
    }

    std::optional<Walker> walker{std::in_place, checkpoint("evt_0", 0, 0), WalkRules{}};
};

using Ids = std::vector<std::string>;

TEST_F(WalkerTest, ReadsForwardFromItsPlacePageByPage) {
    EXPECT_EQ(next(1000), (Ask{.what = Ask::What::behind, .id = "evt_0", .limit = 100}));
    EXPECT_EQ(walk(page_and_more({event("evt_1", 10), event("evt_2", 20)}), 1000), (Ids{"evt_1", "evt_2"}));
    EXPECT_FALSE(walker->is_caught_up());
    EXPECT_EQ(next(1001).id, "evt_2");
    EXPECT_EQ(walk(page({event("evt_3", 30)}), 1001), Ids{"evt_3"});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(written(), checkpoint("evt_3", 30, 700))
        << "nothing is missing until the first page was asked for, less the overlap";
}

TEST_F(WalkerTest, ForeseesTheNextPageOfARound) {
    static_cast<void>(next(1000));
    EXPECT_FALSE(walker->next_if_kept()) << "no page has come";
    static_cast<void>(walker->took(page_and_more({event("evt_1", 10), event("evt_2", 20)}), at(1000)));
    EXPECT_EQ(walker->next_if_kept(), (Ask{.what = Ask::What::behind, .id = "evt_2", .limit = 100}));
    walker->delivered({true, false});
    EXPECT_EQ(next(1001).id, "evt_1") << "not all of it was kept";
    static_cast<void>(walker->took(page({event("evt_2", 20)}), at(1001)));
    EXPECT_FALSE(walker->next_if_kept()) << "the round is over with this page";
}

TEST_F(WalkerTest, HasNothingToWriteBeforeKafkaHasIt) {
    static_cast<void>(next(1000));
    static_cast<void>(walker->took(page({event("evt_1", 10)}), at(1000)));
    EXPECT_FALSE(walker->to_write());
    walker->delivered({true});
    EXPECT_EQ(written(), checkpoint("evt_1", 10, 700));
    EXPECT_FALSE(walker->to_write());
}

TEST_F(WalkerTest, LagsByTheOverlap) {
    EXPECT_EQ(walk(page({event("evt_1", 700), event("evt_2", 701)}), 1000), (Ids{"evt_1", "evt_2"}));
    EXPECT_EQ(written(), checkpoint("evt_1", 700, 700));
    EXPECT_EQ(next(1060).id, "evt_1") << "what is younger is read again";
    EXPECT_EQ(walk(page({event("evt_2", 701), event("evt_3", 800)}), 1060), Ids{"evt_3"})
        << "and not published again";
    EXPECT_EQ(written(), checkpoint("evt_2", 701, 760));
}

TEST_F(WalkerTest, FindsEventsThatAreListedOutOfOrder) {
    EXPECT_EQ(walk(page({event("evt_3", 900), event("evt_5", 905)}), 1000), (Ids{"evt_3", "evt_5"}));
    EXPECT_EQ(walk(page({event("evt_2", 880), event("evt_3", 900), event("evt_4", 905), event("evt_5", 905)}),
                   1060),
              (Ids{"evt_2", "evt_4"}));
    EXPECT_EQ(walk(page({event("evt_1", 870), event("evt_2", 880), event("evt_3", 900), event("evt_4", 905),
                         event("evt_5", 905)}),
                   1150),
              Ids{"evt_1"});
    EXPECT_EQ(written(),
              (Checkpoint{.at = Place{.id = "evt_0", .created = at(0)}, .complete_until = at(850)}));
    EXPECT_EQ(walk(page({event("evt_1", 870), event("evt_2", 880), event("evt_3", 900), event("evt_4", 905),
                         event("evt_5", 905)}),
                   1205),
              Ids{});
    EXPECT_EQ(written(), checkpoint("evt_5", 905, 905));
}

TEST_F(WalkerTest, PassesNothingBehindAYoungEventInARound) {
    EXPECT_EQ(walk(page_and_more({event("evt_1", 702)}), 1000), Ids{"evt_1"});
    // Old enough by now; but something before it may have been listed since the first page was asked for.
    EXPECT_EQ(walk(page({event("evt_2", 703)}), 1100), Ids{"evt_2"});
    EXPECT_EQ(written(),
              (Checkpoint{.at = Place{.id = "evt_0", .created = at(0)}, .complete_until = at(700)}));
}

TEST_F(WalkerTest, AsksAgainFromTheFirstEventThatIsNotKept) {
    const Page three = page({event("evt_1", 10), event("evt_2", 20), event("evt_3", 30)});
    EXPECT_EQ(walk(three, 1000, "evt_2"), (Ids{"evt_1", "evt_2", "evt_3"}));
    EXPECT_FALSE(walker->is_caught_up());
    EXPECT_EQ(written(), checkpoint("evt_1", 10, 10)) << "only what is before it is covered";
    EXPECT_EQ(next(1001).id, "evt_1");
    EXPECT_EQ(walk(page({event("evt_2", 20), event("evt_3", 30)}), 1001), Ids{"evt_2"});
    EXPECT_EQ(written(), checkpoint("evt_3", 30, 700));
}

TEST_F(WalkerTest, TakesPlacesFromEventsThatNobodyWants) {
    EXPECT_EQ(walk(page({event("evt_1", 10), unwanted("evt_2", 20)}), 1000), Ids{"evt_1"});
    EXPECT_EQ(written(), checkpoint("evt_2", 20, 700));
}

TEST_F(WalkerTest, EndsARoundOnAnEmptyPageThatSaysMore) {
    EXPECT_EQ(walk(page_and_more({}), 1000), Ids{});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_FALSE(walker->to_write()) << "it says nothing of what is complete";
}

TEST_F(WalkerTest, StandsBeforeAnEventThatCannotBeKept) {
    const Page two = page({event("evt_1", 10), event("evt_2", 20), event("evt_3", 30)});
    static_cast<void>(next(1000));
    static_cast<void>(walker->took(two, at(1000)));
    walker->cannot_keep(1);
    walker->delivered({true, false, true});
    ASSERT_NE(walker->stuck_at(), nullptr);
    EXPECT_EQ(walker->stuck_at()->id, "evt_2");
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(written(), checkpoint("evt_1", 10, 10));
    EXPECT_EQ(walk(page({event("evt_2", 20), event("evt_3", 30)}), 1060), Ids{"evt_2"})
        << "each round tries it again";
    EXPECT_EQ(walker->stuck_at(), nullptr);
}

TEST_F(WalkerTest, TriesAgainAtOnceWhereAnEarlierEventIsNotKept) {
    static_cast<void>(next(1000));
    static_cast<void>(walker->took(page({event("evt_1", 10), event("evt_2", 20)}), at(1000)));
    walker->cannot_keep(1);
    walker->delivered({false, false});
    EXPECT_FALSE(walker->is_caught_up());
}

TEST_F(WalkerTest, KeepsNothingThatNoAnswerWasGivenFor) {
    static_cast<void>(next(1000));
    static_cast<void>(walker->took(page({event("evt_1", 10)}), at(1000)));
    walker->delivered({});
    EXPECT_FALSE(walker->to_write());
    EXPECT_EQ(next(1000).id, "evt_0");
}

TEST_F(WalkerTest, GoesOnByTimeWhereItsPlaceIsGone) {
    begin(checkpoint("evt_0", 0, 7000));
    static_cast<void>(next(10'000));
    walker->place_is_gone();
    EXPECT_EQ(next(10'000),
              (Ask{.what = Ask::What::oldest_in, .from = at(7000), .until = at(7060), .limit = 100}));
    EXPECT_EQ(walk(page({event("evt_9", 7005)}), 10'000), Ids{"evt_9"});
    EXPECT_FALSE(walker->gap());
    EXPECT_EQ(written(), checkpoint("evt_9", 7005, 7005));
    EXPECT_EQ(next(10'001).id, "evt_9") << "newer ones are behind it";
}

TEST_F(WalkerTest, RemembersNothingThatItsCheckpointHasPassed) {
    EXPECT_EQ(walk(page_and_more({event("evt_1", 10)}), 1000), Ids{"evt_1"});
    walker->place_is_gone();
    EXPECT_EQ(walk(page({event("evt_1", 10)}), 1001), Ids{"evt_1"}) << "of the second that it stood in";
}

TEST_F(WalkerTest, GoesByTimeBeforeItsPlaceIsForgotten) {
    constexpr std::int64_t day = 86'400;
    begin(checkpoint("evt_0", 0, (29 * day)));
    EXPECT_EQ(next(29 * day).what, Ask::What::behind);
    begin(checkpoint("evt_0", 0, (29 * day)));
    EXPECT_EQ(next((29 * day) + 1).what, Ask::What::oldest_in);
}

TEST_F(WalkerTest, SaysWhatMayBeMissingSinceItWasForgotten) {
    constexpr std::int64_t day = 86'400;
    begin(checkpoint("evt_0", 0, 100));
    EXPECT_EQ(walk({}, 40 * day), Ids{});
    EXPECT_EQ(walker->gap(), (Gap{.from = at(100), .until = at(10 * day) + hours{1}}));
    EXPECT_EQ(walk({}, (40 * day) + 5), Ids{});
    EXPECT_EQ(walker->gap(), (Gap{.from = at(100), .until = at((10 * day) + 5) + hours{1}}));
    EXPECT_EQ(written(), (Checkpoint{.complete_until = at(280)})) << "with the gap";
    EXPECT_FALSE(walker->gap());
}

TEST_F(WalkerTest, StartsBehindTheNewestEventBeforeItsTime) {
    begin({.complete_until = at(500)});
    EXPECT_EQ(next(900), (Ask{.what = Ask::What::newest_before, .until = at(500), .limit = 100}));
    EXPECT_EQ(walk(page({event("evt_7", 400)}), 900), Ids{});
    EXPECT_EQ(written(), checkpoint("evt_7", 400, 500));
    EXPECT_EQ(next(900).id, "evt_7");
}

TEST_F(WalkerTest, WalksAnEmptyListByTime) {
    begin({.complete_until = at(500)});
    EXPECT_EQ(walk({}, 500), Ids{});
    EXPECT_EQ(next(500), (Ask{.what = Ask::What::oldest_in, .from = at(500), .limit = 100}));
    EXPECT_EQ(walk({}, 500), Ids{});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_FALSE(walker->to_write()) << "the overlap is not over";
    // Two came meanwhile. The second was seen first, and neither is old enough to be a place.
    EXPECT_EQ(walk(page({event("evt_2", 520)}), 530), Ids{"evt_2"});
    EXPECT_EQ(next(531).id, "evt_2");
    EXPECT_EQ(walk({}, 531), Ids{});
    EXPECT_TRUE(walker->is_caught_up());
    EXPECT_EQ(next(590).what, Ask::What::oldest_in);
    EXPECT_EQ(walk(page({event("evt_1", 510), event("evt_2", 520)}), 590), Ids{"evt_1"});
    EXPECT_EQ(walk({}, 591), Ids{});
    EXPECT_FALSE(walker->to_write());
    EXPECT_EQ(walk(page({event("evt_1", 510), event("evt_2", 520)}), 820), Ids{});
    EXPECT_EQ(walk({}, 820), Ids{});
    EXPECT_EQ(written(), checkpoint("evt_2", 520, 520));
}

TEST_F(WalkerTest, StartsBehindTheNewestOfSeveralEventsBeforeItsTime) {
    begin({.complete_until = at(500)});
    EXPECT_EQ(walk(page_and_more({event("evt_6", 300), event("evt_7", 400)}), 900), Ids{});
    EXPECT_EQ(written(), checkpoint("evt_7", 400, 500));
    EXPECT_EQ(next(900).id, "evt_7");
}

TEST_F(WalkerTest, StartsBehindTheLastEventBeforeItsTimeOfAListWithoutTimes) {
    begin({.complete_until = at(500)}, false);
    EXPECT_EQ(next(900), (Ask{.what = Ask::What::before, .limit = 100}));
    EXPECT_EQ(walk(page({event("evt_6", 300), event("evt_7", 400), event("evt_8", 500)}), 900), Ids{});
    EXPECT_EQ(written(), checkpoint("evt_7", 400, 500));
    EXPECT_EQ(next(900).id, "evt_7");
}

TEST_F(WalkerTest, GoesOnWithTheOldestOfAListWithoutTimesWhereItsPlaceIsForgotten) {
    constexpr std::int64_t day = 86'400;
    begin(checkpoint("evt_0", 0, 100), false);
    EXPECT_EQ(next(40 * day).what, Ask::What::before);
    EXPECT_EQ(walk(page({event("evt_8", 11 * day), event("evt_9", 12 * day)}), 40 * day),
              (Ids{"evt_8", "evt_9"}));
    EXPECT_EQ(walker->gap(), (Gap{.from = at(100), .until = at(10 * day) + hours{1}}));
    EXPECT_EQ(written(), checkpoint("evt_9", 12 * day, 12 * day));
    EXPECT_EQ(next(40 * day).id, "evt_9");
}

TEST_F(WalkerTest, SearchesAgainWhereWhatItHasReadOfTheSearchIsGone) {
    begin({.complete_until = at(500)}, false);
    EXPECT_EQ(walk(page_and_more({event("evt_9", 600)}), 900), Ids{});
    EXPECT_EQ(next(900).id, "evt_9");
    EXPECT_TRUE(walker->place_may_be_gone(at(900))) << "it came from the list itself a moment ago";
    walker->place_is_gone();
    EXPECT_EQ(next(900).id, "");
}

TEST_F(WalkerTest, StartsAtTheProvidersTimeWhereOurClockIsAhead) {
    begin({.complete_until = at(1100)});
    EXPECT_EQ(walk(page({event("evt_1", 490)}), 500), Ids{});
    EXPECT_EQ(next(500).until, at(500));
    EXPECT_EQ(written(), (Checkpoint{.complete_until = at(500)}));
}

}  // namespace
}  // namespace sluice::poller
