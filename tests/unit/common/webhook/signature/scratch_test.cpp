#include <gtest/gtest.h>

#include "common/webhook/signature/scratch.hpp"
#include "tests/unit/common/webhook/allocations.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;
const std::string body(2048, 'x');

std::vector<HeaderField> fields_of(const std::vector<std::pair<std::string, std::string>>& headers) {
    std::vector<HeaderField> fields;
    for (const auto& [name, value] : headers) fields.push_back({name, value});
    return fields;
}

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

using Headers = std::vector<std::pair<std::string, std::string>>;

Headers signed_for(const Source& source) {
    const std::string time = std::to_string(now);
    if (source.name == "paired") return {{"Stripe-Signature", stripe_header(secret, now, body)}};
    if (source.name == "prefixed") return {{"X-Hub-Signature-256", "sha256=" + hmac_hex(secret, body)}};
    const std::string key = crypto::from_base64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value();
    const std::string signature = crypto::from_hex(hmac_hex(key, "msg_1." + time + "." + body)).value();
    return {{"webhook-id", "msg_1"},
            {"webhook-timestamp", time},
            {"webhook-signature", "v1," + crypto::to_base64(signature)}};
}

// One thread judges requests of all sources with the same memory.
TEST(Scratch, LeavesNothingOfOneRequestToTheNext) {
    const Configured configured(
        "sources:\n"
        "  - {name: labelled, principal: labelled, recipe: standard-webhooks, keys: [{id: a, value: {env: "
        "SLUICE_TEST_BASE64}}]}\n"
        "  - {name: prefixed, principal: prefixed, recipe: github, keys: [{id: a, value: {env: "
        "SLUICE_TEST_FIRST}}]}\n"
        "  - {name: paired, principal: paired, recipe: stripe, keys: [{id: a, value: {env: "
        "SLUICE_TEST_FIRST}}]}\n");
    ASSERT_EQ(configured.sources.size(), 3U) << configured.problems.report();
    Scratch scratch;
    const auto judge = [&](const Source& source, const std::vector<HeaderField>& fields) {
        return verify(source, {"POST", "/", fields, body}, at_unix(now), scratch).has_value();
    };
    for (const auto& before : configured.sources) {
        for (const auto& source : configured.sources) {
            const Headers earlier = signed_for(*before);
            const Headers headers = signed_for(*source);
            EXPECT_TRUE(judge(*before, fields_of(earlier)));
            EXPECT_TRUE(judge(*source, fields_of(headers))) << source->name << " after " << before->name;
            EXPECT_FALSE(judge(*source, {})) << "what was there before is no header of this one";
        }
    }
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
}  // namespace sluice::webhook::test
