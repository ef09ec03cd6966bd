#include <algorithm>

#include "poller/walk/walk.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

// The walk's questions, put and answered in each provider's words.
namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

class WalksTest : public ListTest {
protected:
    /// Until the round is over: the ids that were published, in their order.
    std::vector<std::string> round(Walk& walker, WallTime now) {
        std::vector<std::string> published;
        for (int requests = 0; requests < 200; ++requests) {
            auto asked = walker.next(now);
            asked.limit = std::min(asked.limit, most());
            const auto raw = ask(asked);
            EXPECT_TRUE(raw);
            if (!raw) break;
            const auto events = walker.took(page_of(*raw), now);
            for (const auto event : events) published.push_back(raw->events.at(event).place->id);
            walker.delivered(std::vector<bool>(events.size(), true));
            if (walker.to_write()) walker.written();
            if (walker.is_caught_up()) return in_order(std::move(published));
        }
        ADD_FAILURE() << "the round does not end";
        return published;
    }

    /// Pages of one window stand in no order.
    [[nodiscard]] std::vector<std::string> in_order(std::vector<std::string> published) const {
        if (list->facts().by_token) std::ranges::sort(published);
        return published;
    }

    [[nodiscard]] std::unique_ptr<Walk> walk_from(Checkpoint from) const {
        return make_walk(std::move(from), rules());
    }

    static Page page_of(const RawPage& raw) {
        Page page{.events = {}, .has_more = raw.has_more, .next = raw.next};
        for (const auto& event : raw.events) page.events.push_back({event.place.value(), event.wanted});
        return page;
    }

    [[nodiscard]] WalkRules rules() const {
        return {.overlap = 300s,
                .retention = list->facts().retention,
                .limit = 7,
                .by_time = list->facts().by_time,
                .by_token = list->facts().by_token};
    }
};

class PlacedWalksTest : public WalksTest {};

INSTANTIATE_TEST_SUITE_P(All, WalksTest, testing::ValuesIn(all_lists().begin(), all_lists().end()),
                         name_of_model);

INSTANTIATE_TEST_SUITE_P(All, PlacedWalksTest, testing::ValuesIn(placed_lists()), name_of_model);

TEST_P(WalksTest, FromATimeOnEachEventIsPublishedOnce) {
    fill(200);
    const auto now = model->events.back().created + 1h;
    for (const std::size_t first : {0U, 1U, 50U, 199U}) {
        const auto since = std::chrono::floor<std::chrono::seconds>(model->events[first].created);
        const auto walk = walk_from({.at = {}, .complete_until = since});
        auto published = round(*walk, now);
        const auto begin =
            std::ranges::find_if(model->events, [&](const Sample& event) { return event.created >= since; });
        EXPECT_EQ(published, ids(static_cast<std::size_t>(begin - model->events.begin()), 200)) << first;
        EXPECT_TRUE(round(*walk, now).empty()) << "nothing is new";
    }
}

TEST_P(PlacedWalksTest, FromAPlaceOnWhatComesIsPublished) {
    fill(30);
    const auto& place = model->events[10];
    const auto walk =
        walk_from({.at = Place{place.id, place.created}, .complete_until = whole_seconds(place.created)});
    const auto now = model->events.back().created + 1s;
    EXPECT_EQ(round(*walk, now), ids(11, 30));
    fill(60);
    EXPECT_EQ(round(*walk, now + 1min), ids(30, 60));
}

TEST_P(WalksTest, AnEmptyListBeginsWithItsFirstEvent) {
    const WallTime begin = std::chrono::sys_days{std::chrono::year{2026} / 11 / 28};
    const auto walk = walk_from({.at = {}, .complete_until = begin - 1h});
    EXPECT_TRUE(round(*walk, begin).empty());
    fill(20);
    EXPECT_EQ(round(*walk, begin + 1min), ids(0, 20));
}

}  // namespace
}  // namespace sluice::poller
