#include <gtest/gtest.h>

#include "poller/run/page_outlet.hpp"

namespace sluice::poller {
namespace {

TEST(PlacedEvents, AreThoseOfThePageThatCanBePlacedAndItsNextPageStays) {
    const Place place{.id = "evt_2", .created = WallTime{std::chrono::seconds{7}}};
    RawPage raw{.events = {}, .has_more = true, .next = "/v2/core/events?page=2"};
    raw.events.push_back({.bytes = "{}", .place = std::nullopt});
    raw.events.push_back({.bytes = "{}", .place = place, .wanted = false});
    const PlacedEvents placed = placed_in(raw);
    ASSERT_EQ(placed.page.events.size(), 1U);
    EXPECT_EQ(placed.page.events[0].place, place);
    EXPECT_FALSE(placed.page.events[0].wanted);
    EXPECT_EQ(placed.at, std::vector<std::size_t>{1});
    EXPECT_TRUE(placed.page.has_more);
    EXPECT_EQ(placed.page.next, raw.next);
}

}  // namespace
}  // namespace sluice::poller
