#include <algorithm>

#include "common/error.hpp"
#include "tests/unit/poller/list/list_kit.hpp"

// What a provider's answer may be, when it is not what it should be.
namespace sluice::poller {
namespace {

using Strings = std::vector<std::string>;
using UnreadablePagesTest = ListTest;

INSTANTIATE_TEST_SUITE_P(All, UnreadablePagesTest, testing::ValuesIn(all_lists().begin(), all_lists().end()),
                         name_of_model);

/// With the member's value replaced, or without the member where `value` is empty.
std::string with(std::string event, const std::string& name, const std::string& value) {
    const auto begin = event.find('"' + name + '"');
    const auto end = event.find(',', begin);
    if (value.empty()) return event.erase(begin, end - begin + 1);
    return event.replace(begin, end - begin, '"' + name + "\": " + value);
}

bool is_unreadable(const Result<RawPage>& page) {
    return !page && page.error() == errc::unreadable_body;
}

TEST_P(UnreadablePagesTest, AnEventWithoutAPlaceLeavesTheOthersTheirs) {
    fill(3);
    const auto good = model->written(model->events[0]);
    const auto [id, created, of_page] = model->names();
    Strings bad{"{}", "null", "7", "[]", "\"evt_1\""};
    for (const std::string value :
         {"", "null", "7", "\"\"", "[]", "\"a b\"", "\"a\\u0000\"", "\"\\ud800\"", "\"\u00e9\""})
        bad.push_back(with(good, id, value));
    bad.push_back(with(good, id, '"' + std::string(longest_id + 1, 'x') + '"'));
    bad.push_back(with(good, id, "\"evt_1\", \"" + id + "\": \"evt_2\""));
    for (const std::string value : {"", "null", "-1", "1.5", "99999999999999999999", "253402300800",
                                    "\"soon\"", "\"1969-12-31T23:59:59Z\"", "{}"})
        bad.push_back(with(good, created, value));
    for (const auto& event : bad) {
        const auto page = read(
            model->page({model->written(model->events[1]), event, model->written(model->events[2])}, false));
        ASSERT_TRUE(page) << event;
        ASSERT_EQ(page->events.size(), 3U);
        const auto found = std::ranges::find(page->events, std::string_view{event}, &RawEvent::bytes);
        ASSERT_NE(found, page->events.end()) << event;
        EXPECT_FALSE(found->place) << event;
        const auto has_place = [](const RawEvent& one) { return one.place.has_value(); };
        EXPECT_EQ(std::ranges::count_if(page->events, has_place), 2) << event;
    }
}

TEST_P(UnreadablePagesTest, WithoutATypeItIsWanted) {
    fill(2);
    const auto page =
        read(model->page({"{}", model->written(model->events[0])}, false), {{"other.type"}}).value();
    const auto is_wanted = [](const RawEvent& event) { return event.wanted; };
    EXPECT_EQ(std::ranges::count_if(page.events, is_wanted), 1) << "the one for the quarantine";
}

TEST_P(UnreadablePagesTest, APageWithoutAnyPlaceIsNoneUnlessItIsTheLast) {
    const bool needs_place = !list->facts().by_token;
    EXPECT_EQ(is_unreadable(read(model->page({"{}", "null"}, true))), needs_place)
        << "more, but behind what?";
    EXPECT_TRUE(read(model->page({"{}", "null"}, false))) << "they go to quarantine";
    EXPECT_EQ(is_unreadable(read(model->page({}, true))), needs_place) << "more, but behind what?";
    EXPECT_TRUE(read(model->page({}, false))) << "the end of the list";
}

TEST_P(UnreadablePagesTest, APageThatIsCutIsNone) {
    fill(3);
    const auto whole = model->page(elements_of(*model, model->events, true), true);
    ASSERT_TRUE(read(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_TRUE(is_unreadable(read(whole.substr(0, size)))) << whole.substr(0, size);
    EXPECT_FALSE(read(whole + whole)) << "two of them";
}

TEST_P(UnreadablePagesTest, OtherAnswersAreNoPages) {
    fill(2);
    const auto page = model->page(elements_of(*model, model->events, true), true);
    const auto deep = std::string(70, '[') + std::string(70, ']');
    Strings answers{"",
                    "{}",
                    "[]",
                    "null",
                    "true",
                    "<html></html>",
                    std::string(1 << 20, ' '),
                    deep,
                    "\xEF\xBB\xBF" + page,
                    model->page({deep}, false),
                    model->gone().body};
    for (const auto& member : model->names().of_page) {
        const auto name = '"' + member + '"';
        answers.push_back(std::string{page}.replace(page.find(name), name.size(), "\"other\""));
        for (const std::string_view value : {"1", "{}", "[{}]"})
            answers.push_back("{" + name + ": " + std::string{value} + "," + page.substr(1));
    }
    for (const auto& answer : answers) {
        EXPECT_TRUE(is_unreadable(read(answer))) << answer.substr(0, 200);
    }
}

TEST_P(UnreadablePagesTest, WhetherThereAreMoreHasToBeSaid) {
    fill(1);
    for (const bool has_more : {false, true}) {
        const auto page = model->page(elements_of(*model, model->events, true), has_more);
        EXPECT_EQ(read(page).value().has_more, has_more);
    }
}

TEST_P(UnreadablePagesTest, WhatDomParsersCannotHoldCostsNoPage) {
    fill(2);
    auto event = model->written(model->events[0]);
    event.insert(event.size() - 1, R"(, "big": 123456789012345678901234567890, "half": "\ud83d")");
    const auto page = read(model->page({model->written(model->events[1]), event}, false)).value();
    EXPECT_TRUE(std::ranges::all_of(page.events, [](const RawEvent& one) { return one.place.has_value(); }));
}

}  // namespace
}  // namespace sluice::poller
