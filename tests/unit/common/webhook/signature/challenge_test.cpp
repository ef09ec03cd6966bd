#include "common/webhook/signature/challenge.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

const std::string challenge = "20f9f8ed05f77439fe955c977e4c8a53";

Configured braintree(const std::string& more = "") {
    ::setenv("SLUICE_TEST_PRIVATE", "integration_private_key", 1);
    return Configured(
        "sources: [{name: b, principal: b, recipe: braintree, keys: [{id: integration_public_key, "
        "value: {env: SLUICE_TEST_PRIVATE}" +
        more + "}]}]\n");
}

std::optional<std::string> answer(const std::string& query, const std::string& more = "") {
    const auto configured = braintree(more);
    return answer_challenge(configured.only(), "/v1/webhooks/b" + query, at_unix(1'795'258'000));
}

// What Braintree's packages expect in their own tests.
TEST(Challenge, IsAnsweredAsThePackagesDo) {
    EXPECT_EQ(answer("?bt_challenge=" + challenge),
              "integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4");
}

TEST(Challenge, IsHexOfOneLength) {
    EXPECT_TRUE(is_challenge(std::string(20, 'a')));
    EXPECT_FALSE(is_challenge(std::string(19, 'a')));
    EXPECT_FALSE(is_challenge(std::string(33, 'a')));
    EXPECT_FALSE(is_challenge(std::string(20, 'A')));
    EXPECT_FALSE(is_challenge(std::string(20, 'g')));
}

TEST(Challenge, IsNotAnsweredOtherwise) {
    EXPECT_FALSE(answer(""));
    EXPECT_FALSE(answer("?bt_challenge="));
    EXPECT_FALSE(answer("?bt_challenge=" + challenge + "0"));
    EXPECT_FALSE(answer("?bt_challenge=" + challenge + "&bt_challenge=" + challenge));
    EXPECT_FALSE(answer("?other=" + challenge));
    EXPECT_FALSE(answer("?bt_challenge=" + challenge, ", not_after: 2020-01-01T00:00:00Z"));
    EXPECT_FALSE(answer_challenge(stripe().only(), "/?bt_challenge=" + challenge, at_unix(0)));
}

// Who may have anything signed that looks like a challenge may not send it as a message.
TEST(Challenge, IsNoMessage) {
    const auto configured = braintree();
    const std::string pair = answer("?bt_challenge=" + challenge).value();
    const Delivery delivery{{}, "bt_signature=" + pair + "&bt_payload=" + challenge};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(1)), "body_grammar");
}

}  // namespace
}  // namespace sluice::webhook::test
