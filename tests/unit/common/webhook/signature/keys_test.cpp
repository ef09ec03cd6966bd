#include <gtest/gtest.h>

#include "common/webhook/signature/keys_end.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;  // 2025-11-21T18:33:20Z
const std::string body = R"({"id":"evt_1"})";

const std::string two_keys =
    "keys:\n"
    "      - {id: new, value: {env: SLUICE_TEST_FIRST}, not_before: 2025-11-21T18:33:20Z}\n"
    "      - {id: old, value: {env: SLUICE_TEST_OTHER}, not_after: 2025-11-21T18:33:20Z}";

Delivery signed_with(const std::string& key, std::int64_t t) {
    return {{{"Stripe-Signature", stripe_header(key, t, body)}}, body};
}

TEST(Keys, NamesTheOneThatMatched) {
    const auto configured = stripe("", two_keys);
    std::string id;
    EXPECT_EQ(verdict(configured.only(), signed_with(secret, now), at_unix(now), &id), "");
    EXPECT_EQ(id, "new");
    EXPECT_EQ(verdict(configured.only(), signed_with(other_secret, now), at_unix(now), &id), "");
    EXPECT_EQ(id, "old");
}

TEST(Keys, CountBothEndsOfTheirValidityAsInside) {
    const auto configured = stripe("", two_keys);
    EXPECT_EQ(verdict(configured.only(), signed_with(secret, now), at_unix(now, -1)), "signature_mismatch");
    EXPECT_EQ(verdict(configured.only(), signed_with(secret, now), at_unix(now)), "");
    EXPECT_EQ(verdict(configured.only(), signed_with(other_secret, now), at_unix(now)), "");
    EXPECT_EQ(verdict(configured.only(), signed_with(other_secret, now), at_unix(now, 1)),
              "signature_mismatch");
}

TEST(Keys, SayWhenNoneIsLive) {
    const auto expired =
        stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_after: 2025-11-21T00:00:00Z}]");
    EXPECT_EQ(verdict(expired.only(), signed_with(secret, now), at_unix(now)), "no_live_key");
    const auto early =
        stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_before: 2025-11-22T00:00:00Z}]");
    EXPECT_EQ(verdict(early.only(), signed_with(secret, now), at_unix(now)), "no_live_key");
}

TEST(Keys, AreAllTriedOnAllSignatures) {
    const auto configured = stripe(
        "", "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}, {id: b, value: {env: SLUICE_TEST_OTHER}}]");
    const std::string header = "t=" + std::to_string(now) + ",v1=" + stripe_v1("whsec_third", now, body) +
                               ",v1=" + stripe_v1(other_secret, now, body);
    std::string id;
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, body}, at_unix(now), &id), "");
    EXPECT_EQ(id, "b");
}

TEST(Keys, GiveTheFirstWhenSeveralMatch) {
    const auto configured = stripe(
        "", "keys: [{id: a, value: {env: SLUICE_TEST_OTHER}}, {id: b, value: {env: SLUICE_TEST_FIRST}}]");
    const std::string header = "t=" + std::to_string(now) + ",v1=" + stripe_v1(secret, now, body) +
                               ",v1=" + stripe_v1(other_secret, now, body);
    std::string id;
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, body}, at_unix(now), &id), "");
    EXPECT_EQ(id, "a");
}

TEST(Keys, AreNeededToVerifyButNotToExtract) {
    const Configured configured(
        "sources: [{name: eu, principal: eu, recipe: stripe, keys: [{id: a, value: {file: /nowhere}}]}]",
        false);
    EXPECT_EQ(configured.problems.report(), "");
    EXPECT_EQ(verdict(configured.only(), signed_with(secret, now), at_unix(now)), "no_live_key");
    EXPECT_TRUE(extracted(configured.only(), R"({"id":"evt_1","type":"a"})"));
}

/// How long ago it was signed, as the verdict says it.
std::optional<std::chrono::milliseconds> signed_ago(const Configured& configured, const Delivery& delivery) {
    Scratch scratch;
    const auto fields = delivery.fields();
    const Source& source = configured.only();
    const auto authentic =
        verify(source, {"POST", source.path, fields, delivery.body}, at_unix(now), scratch);
    EXPECT_TRUE(authentic.has_value());
    return authentic ? authentic->signed_ago : std::nullopt;
}

TEST(Keys, TellHowLongAgoTheySigned) {
    using namespace std::chrono_literals;
    const auto configured = stripe();
    EXPECT_EQ(signed_ago(configured, signed_with(secret, now - 7)), 7s);
    EXPECT_EQ(signed_ago(configured, signed_with(secret, now + 20)), -20s);
}

// A redelivery with the first one's time says nothing of clocks.
TEST(Keys, TellNoAgeWhereAnyPasses) {
    EXPECT_EQ(signed_ago(stripe("tolerance: none"), signed_with(secret, now - 86'400)), std::nullopt);
}

TEST(Keys, EndWithTheLastOfThem) {
    EXPECT_EQ(keys_end(*stripe("", two_keys).only().program), std::nullopt) << "one has no end";
    const auto both =
        stripe("",
               "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_after: 2025-12-01T00:00:00Z}, {id: b, "
               "value: {env: SLUICE_TEST_OTHER}, not_after: 2025-11-21T18:33:20Z}]");
    EXPECT_EQ(keys_end(*both.only().program), from_rfc3339("2025-12-01T00:00:00Z"));
}

}  // namespace
}  // namespace sluice::webhook::test
