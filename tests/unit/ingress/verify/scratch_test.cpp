#include <gtest/gtest.h>

#include "ingress/verify/scratch.hpp"
#include "tests/unit/ingress/verify/allocations.hpp"
#include "tests/unit/ingress/verify/fixture.hpp"

namespace sluice::verify::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;
const std::string body(2048, 'x');

TEST(Scratch, LetsVerifyRunWithoutAllocating) {
    const auto configured = stripe();
    Scratch scratch;
    const std::string accepted = stripe_header(secret, now, body);
    const std::string forged = stripe_header("whsec_no", now, body);
    const std::string stale = stripe_header(secret, now - 400, body);
    for (const auto& header : {accepted, forged, stale}) {
        const std::vector<HeaderField> fields{{"Host", "x"}, {"Stripe-Signature", header}};
        const Request request{"POST", "/", fields, body};
        const bool first = verify(configured.only(), request, at_unix(now), scratch).has_value();
        const std::size_t before = allocations();
        const bool again = verify(configured.only(), request, at_unix(now), scratch).has_value();
        EXPECT_EQ(allocations(), before);
        EXPECT_EQ(first, again);
    }
}

TEST(Scratch, ForgetsSourcesThatAreGone) {
    Scratch scratch;
    const auto header = stripe_header(secret, now, body);
    const std::vector<HeaderField> fields{{"Stripe-Signature", header}};
    const Request request{"POST", "/", fields, body};
    auto first = std::make_unique<Configured>(stripe());
    const auto second = stripe();
    EXPECT_TRUE(verify(first->only(), request, at_unix(now), scratch));
    EXPECT_TRUE(verify(second.only(), request, at_unix(now), scratch));
    EXPECT_EQ(scratch.state().size(), 2U);
    first.reset();
    EXPECT_TRUE(verify(second.only(), request, at_unix(now), scratch));
    EXPECT_EQ(scratch.state().size(), 1U);
}

// A reload puts new keys behind the same name, perhaps at the same address.
TEST(Scratch, NeverUsesTheKeysOfAnEarlierSource) {
    Scratch scratch;
    const auto header = stripe_header(secret, now, body);
    const std::vector<HeaderField> fields{{"Stripe-Signature", header}};
    const Request request{"POST", "/", fields, body};
    for (int i = 0; i < 50; ++i) {
        const auto right = stripe();
        EXPECT_TRUE(verify(right.only(), request, at_unix(now), scratch));
        const auto wrong = stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_OTHER}}]");
        EXPECT_FALSE(verify(wrong.only(), request, at_unix(now), scratch));
    }
    EXPECT_LE(scratch.state().size(), 2U);
}

TEST(Scratch, ReadsAnEventIntoTheSameTextAgain) {
    const auto configured = stripe();
    const std::string event =
        R"({"id":"evt_1MqqbKLt4dXK03v5qaIbiNCC","type":"payment_intent.succeeded","created":1680064028,)"
        R"("livemode":true,"data":{"object":{"id":"pi_3MtwBwLkdIwHu7ix28a3tqPa","amount":2000}}})";
    const std::vector<HeaderField> fields{{"Stripe-Signature", "t=1"},
                                          {"Content-Type", "application/json; charset=utf-8"}};
    const Request request{"POST", "/", fields, event};
    JsonView view;
    Extracted extracted;
    ASSERT_TRUE(extract_into(extracted, configured.only(), request, view));
    const std::size_t before = allocations();
    ASSERT_TRUE(extract_into(extracted, configured.only(), request, view));
    EXPECT_LE(allocations() - before, 1U);  // the record key is made anew
}

}  // namespace
}  // namespace sluice::verify::test
