#include "ingress/request/routes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::ingress {
namespace {

TEST(Routes, MatchThePathByteForByte) {
    Metrics metrics;
    const Routes routes{test_sources(), metrics};
    ASSERT_NE(routes.find("/v1/webhooks/stripe-eu"), nullptr);
    EXPECT_EQ(routes.find("/v1/webhooks/stripe-eu")->source->name, "stripe-eu");
    for (const char* path : {"", "/", "/v1/webhooks/stripe-eu/", "/v1/webhooks/stripe-e",
                             "/V1/webhooks/stripe-eu", "/v1/webhooks/stripe%2Deu", "//v1/webhooks/stripe-eu"})
        EXPECT_EQ(routes.find(path), nullptr) << path;
}

TEST(Routes, LeadToNoPolledSource) {
    Metrics metrics;
    const Routes routes{test_sources("}\n  - {name: list, recipe: stripe, principal: acct_main, poll: {}"),
                        metrics};
    EXPECT_NE(routes.find("/v1/webhooks/stripe-eu"), nullptr);
    for (const char* path : {"poll:list", "/v1/webhooks/list", "list"})
        EXPECT_EQ(routes.find(path), nullptr) << path;
    EXPECT_FALSE(metrics.exposition().contains("source=\"list\"")) << "it never gets a request";
}

TEST(Routes, CountersSurviveAReload) {
    Metrics metrics;
    const Routes before{test_sources(), metrics};
    before.find("/v1/webhooks/stripe-eu")->decisions[0]->Increment();
    const Routes after{test_sources("max_body: 2KiB"), metrics};
    EXPECT_EQ(after.find("/v1/webhooks/stripe-eu")->decisions[0]->Value(), 1.0);
    EXPECT_TRUE(metrics.exposition().contains(
        "sluice_ingress_decisions_total{decision=\"accepted\",source=\"stripe-eu\"} 1"));
}

TEST(Routes, CountRequestsOfAClockThatIsApart) {
    using namespace std::chrono_literals;
    Metrics metrics;
    const Routes routes{test_sources(), metrics};
    const Route& route = *routes.find("/v1/webhooks/stripe-eu");
    for (const std::chrono::milliseconds ago : {-10s, 0s, 5s, 60s}) route.note_signed(ago);
    EXPECT_EQ(route.signed_ahead->Value() + route.signed_behind->Value(), 0);
    route.note_signed(-10'001ms);
    EXPECT_EQ(route.signed_ahead->Value(), 1);
    route.note_signed(60'001ms);
    EXPECT_EQ(route.signed_behind->Value(), 1);
}

TEST(Routes, SayWhenTheKeysOfASourceEnd) {
    Metrics metrics;
    const Routes endless{test_sources(), metrics};
    EXPECT_TRUE(
        metrics.exposition().contains("sluice_ingress_keys_not_after_seconds{source=\"stripe-eu\"} +Inf"));
}

}  // namespace
}  // namespace sluice::ingress
