#include <algorithm>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "common/error.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

using Strings = std::vector<std::string>;

INSTANTIATE_TEST_SUITE_P(All, ListTest, testing::ValuesIn(all_lists().begin(), all_lists().end()),
                         name_of_model);

INSTANTIATE_TEST_SUITE_P(All, PlacedListTest, testing::ValuesIn(placed_lists()), name_of_model);
INSTANTIATE_TEST_SUITE_P(All, TimedListTest, testing::ValuesIn(lists(By::time)), name_of_model);
INSTANTIATE_TEST_SUITE_P(All, UntimedListTest, testing::ValuesIn(lists(By::ids)), name_of_model);
INSTANTIATE_TEST_SUITE_P(All, TokenListTest, testing::ValuesIn(lists(By::tokens)), name_of_model);

TEST_P(PlacedListTest, GoesForwardOverEachEventOnceInOrder) {
    for (const int limit : {1, 3, most()}) {
        model->events.clear();
        fill(static_cast<std::size_t>(limit) * 3 + 2);
        Strings seen{model->events.front().id};
        for (bool has_more = true; has_more;) {
            const auto page = ask(behind(seen.back(), limit)).value();
            ASSERT_LE(page.events.size(), static_cast<std::size_t>(limit));
            ASSERT_FALSE(page.has_more && page.events.empty());
            has_more = page.has_more;
            std::ranges::copy(ids_of(page), std::back_inserter(seen));
        }
        EXPECT_EQ(seen, ids(0, model->events.size())) << limit;
    }
}

TEST_P(PlacedListTest, PlacesAreThoseOfTheProvider) {
    fill(5);
    const auto page = ask(behind(model->events.front().id, most())).value();
    ASSERT_EQ(page.events.size(), 4U);
    for (std::size_t number = 0; number < 4; ++number) {
        EXPECT_EQ(page.events[number].place,
                  (Place{model->events[number + 1].id, model->events[number + 1].created}));
        EXPECT_EQ(page.events[number].bytes, model->written(model->events[number + 1]))
            << "as they are written";
    }
}

TEST_P(PlacedListTest, WhatComesBetweenTwoPagesIsOnTheSecond) {
    fill(6);
    const auto first = ids_of(ask(behind(model->events[0].id, 3)).value());
    fill(12);
    const auto second = ask(behind(first.back(), most())).value();
    EXPECT_EQ(ids_of(second), ids(4, 12));
}

TEST_P(PlacedListTest, AFullPageIsNotTheSignOfAnother) {
    fill(static_cast<std::size_t>(most()) + 1);
    const auto page = ask(behind(model->events[0].id, most())).value();
    EXPECT_EQ(page.events.size(), static_cast<std::size_t>(most()));
    EXPECT_FALSE(page.has_more);
}

TEST_P(PlacedListTest, BehindTheNewestThereIsNothing) {
    fill(4);
    const auto page = ask(behind(model->events.back().id, most())).value();
    EXPECT_TRUE(page.events.empty());
    EXPECT_FALSE(page.has_more);
}

/// What it prints, tests/integration/test_stripe_mock.py asks Stripe's own description of its API.
TEST_P(ListTest, AsksOnlyWhatItsProviderTakes) {
    fill(3);
    const Sample& event = model->events[1];
    std::vector<Wanted> filters{{}, {Strings(20, event.type)}, {Strings(21, event.type)}};
    if (list->facts().tells_delivery) filters.push_back({.types = {}, .undelivered = true});
    for (const Ask& asked : every_ask()) {
        for (const Wanted& wanted : filters) {
            EXPECT_TRUE(ask(asked, wanted));
            std::cout << "asks " << list->request(asked, wanted).target << '\n';
        }
    }
}

TEST_P(PlacedListTest, AnIdIsNoMoreThanAnId) {
    fill(1);
    for (const std::string strange : {"evt_&limit=1", "evt_#", "evt_%41", "evt_+", "evt_=/?\"[]"}) {
        model->events = {{strange, model->rounded(WallTime{}), "a.b"}, model->events.back()};
        const auto page = ask(behind(strange, most())).value();
        EXPECT_EQ(ids_of(page), (Strings{"evt_00000"})) << strange;
    }
}

TEST_P(TimedListTest, TheNewestBeforeATimeIsOne) {
    fill(40);
    for (const auto& event : model->events) {
        const auto until = event.created;
        const auto older =
            std::ranges::count_if(model->events, [&](const Sample& other) { return other.created < until; });
        const auto page = ask(newest_before(until)).value();
        const auto count = static_cast<std::size_t>(older);
        EXPECT_EQ(ids_of(page), older == 0 ? Strings{} : ids(count - 1, count));
    }
}

TEST_P(TimedListTest, AWindowIsReadBackwardsToItsOldest) {
    fill(40);
    const auto from = model->events[7].created;
    const auto until = model->events[31].created;
    Strings inside;
    for (const auto& event : model->events)
        if (event.created >= from && event.created < until) inside.push_back(event.id);
    Strings seen;
    for (bool has_more = true; has_more;) {
        const auto page = ask(window(from, until, 4, seen.empty() ? "" : seen.front())).value();
        ASSERT_FALSE(page.events.empty());
        has_more = page.has_more;
        const auto older = ids_of(page);
        seen.insert(seen.begin(), older.begin(), older.end());
    }
    EXPECT_EQ(seen, inside);
}

TEST_P(TimedListTest, AWindowMayHaveNoEnd) {
    fill(9);
    const auto from = model->rounded(model->events[4].created);
    const auto page = ask(window(from, {}, most())).value();
    ASSERT_FALSE(page.events.empty());
    EXPECT_EQ(page.events.back().place->id, model->events.back().id);
    EXPECT_GE(page.events.front().place->created, from);
}

TEST_P(UntimedListTest, IsReadBackwardsToItsOldest) {
    EXPECT_TRUE(ask(before("", most())).value().events.empty());
    fill(23);
    Strings seen;
    for (bool has_more = true; has_more;) {
        const auto page = ask(before(seen.empty() ? "" : seen.front(), 5)).value();
        ASSERT_FALSE(page.events.empty());
        has_more = page.has_more;
        const auto older = ids_of(page);
        seen.insert(seen.begin(), older.begin(), older.end());
    }
    EXPECT_EQ(seen, ids(0, 23));
}

TEST_P(UntimedListTest, BehindNothingIsTheOldest) {
    fill(5);
    EXPECT_EQ(ids_of(ask(behind("", 3)).value()), ids(0, 3));
    for (const Ask& by_time : {newest_before(WallTime{}), window(WallTime{}, {}, 3)})
        EXPECT_THROW((void)list->request(by_time, {}), std::logic_error);
}

TEST_P(ListTest, TypesAreWantedByNameAndByPrefix) {
    fill(10);
    const auto wanted_of = [&](const Wanted& wanted) {
        Strings ids;
        const auto page = ask(all_but_the_first(), wanted).value();
        for (const auto& event : page.events)
            if (event.wanted) ids.push_back(event.place->id);
        return ids;
    };
    Strings refunds;
    for (const auto& event : model->events)
        if (event.type == "refunds.paid" && event.id != model->events[0].id) refunds.push_back(event.id);
    EXPECT_EQ(wanted_of({}), ids(1, 10));
    EXPECT_EQ(wanted_of({{"refunds.paid"}}), refunds);
    EXPECT_EQ(wanted_of({{"other.*", "refunds.*"}}), refunds);
    Wanted many{Strings(30, "other.type")};
    many.types.push_back("refunds.paid");
    EXPECT_EQ(wanted_of(many), refunds);
}

TEST_P(ListTest, WhatAStatusSays) {
    webhook::JsonView view;
    const Ask first{.what = list->facts().by_token ? Ask::What::all_in : Ask::What::behind, .limit = 1};
    const auto fault = [&](const Ask& asked, int status, std::string_view body = "") {
        return list->fault(asked, status, body, view);
    };
    for (const int status : {301, 302, 400, 401, 403, 404, 418, 422})
        EXPECT_EQ(fault(first, status), Fault::refused) << status;
    for (const int status : {408, 409, 500, 502, 503, 504, 529})
        EXPECT_EQ(fault(from_somewhere(), status), Fault::server) << status;
    EXPECT_EQ(fault(from_somewhere(), 429), Fault::limited);
    const auto [status, body] = model->gone();
    EXPECT_EQ(fault(from_somewhere(), status, body), Fault::gone);
    EXPECT_NE(fault(from_somewhere(), 503, body), Fault::gone);
    EXPECT_NE(fault(from_somewhere(), 401, body), Fault::gone);
    EXPECT_NE(fault(first, status, body), Fault::gone) << "no id was asked";
}

TEST_P(PlacedListTest, ThatAnIdIsGoneIsSaidInWords) {
    webhook::JsonView view;
    const int status = model->gone().status;
    for (const std::string_view other :
         {"", "<html>", "{}", "[", "{\"error\": 1}", "{\"error\": {\"code\": []}}"})
        EXPECT_EQ(list->fault(behind("evt_1", 1), status, other, view), Fault::refused) << other;
}

TEST_P(TokenListTest, EachEventOfAWindowIsOnOneOfItsPages) {
    fill(40);
    const auto from = model->events[7].created;
    const auto until = model->events[31].created;
    for (const int limit : {1, 4, 5, most()}) {
        Strings seen;
        Ask asked = all_in(from, until, limit);
        do {
            const auto page = ask(asked).value();
            ASSERT_LE(page.events.size(), static_cast<std::size_t>(limit));
            ASSERT_EQ(page.has_more, !page.next.empty());
            EXPECT_TRUE(std::ranges::is_sorted(page.events, {},
                                               [](const RawEvent& event) { return event.place->created; }));
            std::ranges::copy(ids_of(page), std::back_inserter(seen));
            asked.page = page.next;
        } while (!asked.page.empty());
        std::ranges::sort(seen);
        EXPECT_EQ(seen, ids(7, 31)) << limit;
    }
}

TEST_P(TokenListTest, AWindowMayHaveNoEndAndNoEvents) {
    fill(9);
    EXPECT_EQ(ids_of(ask(all_in(model->events[4].created, {}, most())).value()), ids(4, 9));
    EXPECT_TRUE(ask(all_in(model->events.back().created + std::chrono::seconds{1}, {}, most()))
                    .value()
                    .events.empty());
}

TEST_P(TokenListTest, TypesAreFilteredOnEachPage) {
    fill(9);
    Ask asked = all_in(model->events[0].created, {}, 1);
    const Wanted refunds{{"refunds.paid"}};
    asked.page = ask(asked, refunds).value().next;
    EXPECT_EQ(ask(asked, refunds).value().events.at(0).place->id, "evt_00003");
}

TEST_P(ListTest, ARecipeNamesItsList) {
    EXPECT_EQ(list_of(list->facts().recipe, list->facts().name), list);
    EXPECT_EQ(list_of(list->facts().recipe, "nobodys"), nullptr);
    EXPECT_EQ(list_of("nobody"), nullptr);
    EXPECT_TRUE(list->facts().url.starts_with("https://"));
    EXPECT_FALSE(list->facts().url.ends_with('/'));
}

}  // namespace
}  // namespace sluice::poller
