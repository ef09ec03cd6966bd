#include "ctl/send/traffic/plan.hpp"

#include <map>

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

std::map<Kind, std::size_t> counts_of(const std::vector<Delivery>& plan) {
    std::map<Kind, std::size_t> counts;
    for (const auto& delivery : plan) ++counts[delivery.kind];
    return counts;
}

bool is_in_order(const std::vector<Delivery>& plan) {
    std::uint32_t next = 0;
    for (const auto& delivery : plan) {
        if (delivery.kind == Kind::fresh && delivery.event != next++) return false;
    }
    return true;
}

const Mix mix{.events = 2000, .duplicates = 10, .forged = 2, .stale = 1.5, .disorder = false, .seed = 7};

}  // namespace

TEST(Plan, SharesAreExactAndComeOnTop) {
    const auto counts = counts_of(plan_of(mix));
    EXPECT_EQ(counts.at(Kind::fresh), 2000U);
    EXPECT_EQ(counts.at(Kind::duplicate), 200U);
    EXPECT_EQ(counts.at(Kind::forged), 40U);
    EXPECT_EQ(counts.at(Kind::stale), 30U);
    EXPECT_EQ(extra_events(mix), 70U);
}

TEST(Plan, OneSeedGivesOnePlanAndAnotherAnother) {
    const auto same = [](const std::vector<Delivery>& a, const std::vector<Delivery>& b) {
        return std::ranges::equal(
            a, b, [](const auto& x, const auto& y) { return x.event == y.event && x.kind == y.kind; });
    };
    Mix other = mix;
    other.seed = 8;
    EXPECT_TRUE(same(plan_of(mix), plan_of(mix)));
    EXPECT_FALSE(same(plan_of(mix), plan_of(other)));
}

TEST(Plan, KeepsTheStorysOrderUnlessToldOtherwise) {
    Mix disordered = mix;
    disordered.disorder = true;
    EXPECT_TRUE(is_in_order(plan_of(mix)));
    EXPECT_FALSE(is_in_order(plan_of(disordered)));
}

TEST(Plan, TheFirstDeliveryOfAnEventIsTheFreshOne) {
    Mix disordered = mix;
    disordered.disorder = true;
    disordered.duplicates = 100;
    std::vector<bool> seen(disordered.events);
    for (const auto& delivery : plan_of(disordered)) {
        if (!is_genuine(delivery.kind)) continue;
        EXPECT_EQ(delivery.kind == Kind::fresh, !seen[delivery.event]);
        seen[delivery.event] = true;
    }
    EXPECT_TRUE(std::ranges::all_of(seen, std::identity{}));
}

TEST(Plan, ForgedAndStaleHaveEventsOfTheirOwn) {
    std::vector<int> uses(mix.events + extra_events(mix));
    for (const auto& delivery : plan_of(mix)) {
        EXPECT_EQ(is_genuine(delivery.kind), delivery.event < mix.events);
        if (!is_genuine(delivery.kind)) ++uses[delivery.event];
    }
    for (std::size_t i = mix.events; i < uses.size(); ++i) EXPECT_EQ(uses[i], 1);
}

TEST(Plan, ALonelyEventIsAPlan) {
    const auto plan = plan_of({.events = 1, .duplicates = 300, .seed = 1});
    EXPECT_EQ(plan.size(), 4U);
}

}  // namespace sluice::ctl
