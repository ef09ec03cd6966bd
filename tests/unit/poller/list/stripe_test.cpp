#include <gtest/gtest.h>

#include "tests/unit/poller/list/list_kit.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;

std::string target(const Ask& ask, const Wanted& wanted = {}) {
    return list_of("stripe")->request(ask, wanted).target;
}

TEST(StripeListTest, AsksInItsWords) {
    EXPECT_EQ(target(newest_before(WallTime{1700000000s})), "/v1/events?limit=1&created%5Blt%5D=1700000000");
    EXPECT_EQ(target(behind("evt_1", 100)), "/v1/events?limit=100&ending_before=evt_1");
    EXPECT_EQ(target(window(WallTime{10s}, WallTime{70s}, 100, "evt_1")),
              "/v1/events?limit=100&created%5Bgte%5D=10&created%5Blt%5D=70&starting_after=evt_1");
}

TEST(StripeListTest, RoundsTimesUp) {
    EXPECT_EQ(target(window(WallTime{9500ms}, WallTime{10001ms}, 5)),
              "/v1/events?limit=5&created%5Bgte%5D=10&created%5Blt%5D=11");
}

TEST(StripeListTest, AsksForTypesWhileItsFilterTakesThem) {
    EXPECT_EQ(target(behind("evt_1", 1), {{"charge.failed", "charge.refunded"}}),
              "/v1/events?limit=1&ending_before=evt_1&types%5B%5D=charge.failed&types%5B%5D=charge.refunded");
    EXPECT_EQ(target(behind("evt_1", 1), {{"charge.*"}}), "/v1/events?limit=1&ending_before=evt_1");
    EXPECT_TRUE(target(behind("evt_1", 1), {std::vector<std::string>(20, "a.b")}).contains("types"));
    EXPECT_FALSE(target(behind("evt_1", 1), {std::vector<std::string>(21, "a.b")}).contains("types"));
}

TEST(StripeListTest, AsksForWhatCouldNotBeDelivered) {
    EXPECT_TRUE(list_of("stripe")->facts().tells_delivery);
    EXPECT_EQ(target(behind("evt_1", 100), {.types = {}, .undelivered = true}),
              "/v1/events?limit=100&ending_before=evt_1&delivery_success=false");
}

TEST(WantedTest, NamesAndPrefixes) {
    const Wanted wanted{{"charge.failed", "invoice.*"}};
    EXPECT_TRUE(wanted.takes("charge.failed"));
    EXPECT_TRUE(wanted.takes("invoice.paid"));
    EXPECT_FALSE(wanted.takes("charge.failed2"));
    EXPECT_FALSE(wanted.takes("invoice"));
    EXPECT_TRUE(wanted.takes("")) << "unreadable: for the quarantine";
    EXPECT_TRUE(Wanted{}.takes("any"));
}

}  // namespace
}  // namespace sluice::poller
