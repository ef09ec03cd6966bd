#include "ingress/connection/limits.hpp"

#include <gtest/gtest.h>

#include <list>

namespace sluice::connection {
namespace {

Address address(std::string_view text) {
    return Address::parse(text).value();
}

TEST(Limits, TurnAwayTheOneTooMany) {
    Limits limits{2, 0};
    auto first = limits.enter();
    const auto second = limits.enter();
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(limits.enter());
    EXPECT_EQ(limits.open(), 2);
    first.reset();
    EXPECT_TRUE(limits.enter());
}

TEST(Limits, CountEachHouseholdByItself) {
    Limits limits{100, 2};
    std::list<Limits::Slot> slots;
    const auto named = [&](std::string_view text) {
        slots.push_back(std::move(*limits.enter()));
        return slots.back().name(address(text));
    };
    EXPECT_TRUE(named("2001:db8::1"));
    EXPECT_TRUE(named("2001:db8::2"));
    EXPECT_FALSE(named("2001:db8::3")) << "the same /64";
    EXPECT_TRUE(named("2001:db8:0:1::1"));
    slots.pop_back();  // it never counted under the client_prefix that was full
    slots.pop_front();
    EXPECT_TRUE(named("2001:db8::4")) << "a place was given back";
}

TEST(Limits, MovedSlotIsGivenBackOnce) {
    Limits limits{10, 10};
    {
        auto slot = limits.enter();
        EXPECT_TRUE(slot->name(address("192.0.2.1")));
        const Limits::Slot moved{std::move(*slot)};
        EXPECT_EQ(limits.open(), 1);
    }
    EXPECT_EQ(limits.open(), 0);
}

TEST(Limits, AQuarterMayRest) {
    Limits limits{8, 0};
    EXPECT_FALSE(limits.is_rest_taken());
    {
        const Limits::Rest first{limits};
        EXPECT_FALSE(limits.is_rest_taken());
        const Limits::Rest second{limits};
        EXPECT_TRUE(limits.is_rest_taken());
    }
    EXPECT_FALSE(limits.is_rest_taken());
}

}  // namespace
}  // namespace sluice::connection
