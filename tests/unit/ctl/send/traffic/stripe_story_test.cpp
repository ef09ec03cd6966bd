#include "ctl/send/traffic/stripe_story.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

std::vector<SampleEvent> told(StripeStory::Settings settings, std::size_t count) {
    StripeStory story{std::move(settings)};
    std::vector<SampleEvent> events;
    for (std::size_t i = 0; i < count; ++i) events.push_back(story.next());
    return events;
}

StripeStory::Settings all(std::uint64_t seed = 5) {
    return {.types = stripe_story_types(), .customers = 6, .seed = seed, .created = 1'790'000'000};
}

}  // namespace

TEST(StripeStory, IdsAreUniqueAndFollowTheSeed) {
    const auto events = told(all(), 3000);
    std::set<std::string> ids;
    for (const auto& event : events) ids.insert(event.id);
    EXPECT_EQ(ids.size(), events.size());
    EXPECT_EQ(told(all(), 3000)[2999].id, events[2999].id);
    EXPECT_NE(told(all(6), 1)[0].id, events[0].id);
}

TEST(StripeStory, RefundsAreRunningTotalsWithinThePayment) {
    struct Payment {
        std::int64_t amount = 0;
        std::int64_t refunded = 0;
        std::string customer;
    };
    std::map<std::string, Payment> payments;
    int partial = 0;
    for (const auto& event : told(all(), 3000)) {
        if (event.type == "payment_intent.succeeded")
            payments[event.object] = {event.amount, 0, event.customer};
        if (event.type != "charge.refunded") continue;
        ASSERT_TRUE(payments.contains(event.object));
        Payment& payment = payments[event.object];
        EXPECT_EQ(event.before, payment.refunded);
        EXPECT_GT(event.after, event.before);
        EXPECT_LE(event.after, payment.amount);
        EXPECT_EQ(event.customer, payment.customer);
        partial += event.before > 0 ? 1 : 0;
        payment.refunded = event.after;
    }
    EXPECT_GT(partial, 20);  // second refunds of one payment
}

TEST(StripeStory, ObjectsComeBackSoThatOrderMatters) {
    std::map<std::string, std::int64_t> steps;
    for (const auto& event : told(all(), 2000)) {
        if (event.type != "customer.updated" && event.type != "invoice.payment_failed") continue;
        EXPECT_EQ(event.step, ++steps[event.object]);
    }
    EXPECT_LE(steps.size(), 1000U);
}

TEST(StripeStory, TellsOnlyTheChosenTypesAndCustomers) {
    const auto refunds = told({.types = {"charge.refunded"}, .customers = 1, .seed = 2, .created = 0}, 50);
    for (const auto& event : refunds) {
        EXPECT_EQ(event.type, "charge.refunded");
        EXPECT_EQ(event.customer, "cus_sample00000001");
    }
}

TEST(StripeStory, TellsAllTypesSoonerOrLater) {
    std::set<std::string> types;
    for (const auto& event : told(all(), 500)) types.insert(event.type);
    EXPECT_EQ(types.size(), stripe_story_types().size());
}

}  // namespace sluice::ctl
