#include "consumer/silence/arrivals.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr auto this_hour = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;

Item from(std::string source, WallTime at) {
    Item item;
    item.decoded = true;
    item.event.source = std::move(source);
    item.event.received_at = at;
    return item;
}

TEST(Arrivals, AreCountedBySourceAndHour) {
    Arrivals arrivals;
    Items items;
    items.push_back(from("eu", this_hour + 59min));
    items.push_back(from("eu", this_hour + 1min));
    items.push_back(from("eu", this_hour + 61min));
    items.push_back(from("us", this_hour));
    arrivals.saw(items, this_hour + 2h);
    const auto all = arrivals.take();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].source, "eu");
    EXPECT_EQ(all[0].traffic.hour, this_hour);
    EXPECT_EQ(all[0].traffic.events, 2);
    EXPECT_EQ(all[0].last, this_hour + 59min);
    EXPECT_EQ(all[1].traffic.hour, this_hour + 1h);
    EXPECT_EQ(all[2].source, "us");
    EXPECT_TRUE(arrivals.take().empty());
}

TEST(Arrivals, AreWhatProvidersSend) {
    Arrivals arrivals;
    Items items;
    items.push_back(from("eu", this_hour));
    items.back().event.trust = "api";
    items.push_back(from("eu", this_hour));
    items.back().decoded = false;
    items.push_back(from("eu", WallTime{}));
    items.push_back(from(std::string(65, 'x'), this_hour));
    arrivals.saw(items, this_hour + 2h);
    EXPECT_TRUE(arrivals.take().empty());
}

TEST(Arrivals, ThatCouldNotBeWrittenCountLater) {
    Arrivals arrivals;
    Items items;
    items.push_back(from("eu", this_hour + 5min));
    arrivals.saw(items, this_hour + 2h);
    const auto first = arrivals.take();
    arrivals.saw(items, this_hour + 2h);
    arrivals.give_back(first);
    const auto all = arrivals.take();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].traffic.events, 2);
}

TEST(Arrivals, CameByNow) {
    Arrivals arrivals;
    Items items;
    items.push_back(from("eu", this_hour + 50h));
    arrivals.saw(items, this_hour + 5min);
    const auto all = arrivals.take();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].traffic.hour, this_hour);
    EXPECT_EQ(all[0].last, this_hour + 5min);
}

}  // namespace
}  // namespace sluice::consumer
