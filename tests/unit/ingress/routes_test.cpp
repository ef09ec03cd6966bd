#include "ingress/routes.hpp"

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

TEST(Routes, CountersSurviveAReload) {
    Metrics metrics;
    const Routes before{test_sources(), metrics};
    before.find("/v1/webhooks/stripe-eu")->decisions[0]->Increment();
    const Routes after{test_sources("max_body: 2KiB"), metrics};
    EXPECT_EQ(after.find("/v1/webhooks/stripe-eu")->decisions[0]->Value(), 1.0);
    EXPECT_TRUE(metrics.exposition().contains(
        "sluice_ingress_decisions_total{decision=\"accepted\",source=\"stripe-eu\"} 1"));
}

}  // namespace
}  // namespace sluice::ingress
