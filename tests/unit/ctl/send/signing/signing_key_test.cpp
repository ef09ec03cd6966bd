#include "ctl/send/signing/signing_key.hpp"

#include <gtest/gtest.h>

#include "ctl/send/signing/signer.hpp"
#include "ctl/verify/verdict.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::ctl {
namespace {

using webhook::test::at_unix;

std::string key_file(const std::string& name) {
    std::ifstream file(std::string{SLUICE_VECTORS} + "/generate/keys/" + name);
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string error_of(const std::expected<SigningKey, std::string>& key) {
    return key ? "none" : key.error();
}

}  // namespace

TEST(SigningKey, PublicKeysAskForThePrivateOne) {
    webhook::test::Files files;
    const auto alipay =
        webhook::test::configured_for(webhook::test::read_vectors("alipay")["source"], "alipay", files);
    EXPECT_TRUE(error_of(SigningKey::of(alipay.only(), at_unix(1'795'258'000))).contains("--signing-key"));
}

TEST(SigningKey, AKeyOfAnotherPairIsRefused) {
    webhook::test::Files files;
    const auto alipay =
        webhook::test::configured_for(webhook::test::read_vectors("alipay")["source"], "alipay", files);
    EXPECT_TRUE(SigningKey::from_pem(alipay.only(), key_file("signer.key.pem"), ""));
    EXPECT_TRUE(error_of(SigningKey::from_pem(alipay.only(), key_file("stranger.key.pem"), ""))
                    .contains("does not match any public key"));
    EXPECT_TRUE(error_of(SigningKey::from_pem(alipay.only(), "no key", "")).contains("private key in PEM"));
}

TEST(Verdict, AChallengeIsAnsweredAsTheIngressDoes) {
    webhook::test::Files files;
    const auto braintree =
        webhook::test::configured_for(webhook::test::read_vectors("braintree")["source"], "braintree", files);
    const std::string path = braintree.only().path;
    const auto said = [&](const std::string& query) {
        return judge(braintree.only(), "GET " + path + query + " HTTP/1.1\r\nHost: a\r\n\r\n",
                     at_unix(1'795'258'000));
    };
    const Verdict answered = said("?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53");
    EXPECT_TRUE(answered.accepted) << answered.reason;
    EXPECT_EQ(answered.status, 200);
    EXPECT_EQ(answered.key_id, "k7hq3n5zr8w2tb4c");
    EXPECT_TRUE(answered.body.starts_with("k7hq3n5zr8w2tb4c|")) << answered.body;
    EXPECT_EQ(said("?bt_challenge=no").status, 405);
    EXPECT_EQ(said("").status, 405);
}

TEST(SigningKey, NoKeyThatIsLiveIsSaid) {
    const auto stripe = webhook::test::stripe(
        "", "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_before: 2030-01-01T00:00:00Z}]");
    EXPECT_TRUE(error_of(SigningKey::of(stripe.only(), at_unix(1'795'258'000))).contains("live now"));
}

TEST(Signer, WritesStripesHeaderWithTheFirstKeyThatIsLive) {
    const auto stripe = webhook::test::stripe(
        "",
        "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}, not_after: 2020-01-01T00:00:00Z}, {id: b, value: "
        "{env: SLUICE_TEST_OTHER}}]");
    const auto header_at = [&](std::int64_t seconds) {
        const WallTime now = at_unix(seconds, 999'999);
        OutgoingRequest request{.target = stripe.only().path, .headers = {}, .body = "{}"};
        Signer{stripe.sources.at(0), SigningKey::of(stripe.only(), now).value()}.sign(request, now).value();
        return request.headers;
    };
    using webhook::test::stripe_header;
    EXPECT_EQ(header_at(1'795'258'000),
              (RequestHeaders{
                  {"Stripe-Signature", stripe_header(webhook::test::other_secret, 1'795'258'000, "{}")}}));
    EXPECT_EQ(
        header_at(1'500'000'000),
        (RequestHeaders{{"Stripe-Signature", stripe_header(webhook::test::secret, 1'500'000'000, "{}")}}));
}

}  // namespace sluice::ctl
