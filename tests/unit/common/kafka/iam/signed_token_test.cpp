#include "common/kafka/iam/signed_token.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"
#include "common/time_text.hpp"

namespace sluice::kafka::iam {
namespace {

const WallTime now = *from_rfc3339("2026-11-26T18:45:07.9Z");

Keys keys() {
    return {.id = "AKIDEXAMPLE",
            .secret = Secret{"wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
            .session = {},
            .ends = {}};
}

std::string url_in(const Secret& signed_by_us) {
    std::string token{signed_by_us.bytes()};
    std::ranges::replace(token, '-', '+');
    std::ranges::replace(token, '_', '/');
    token.resize((token.size() + 3) / 4 * 4, '=');
    return *crypto::from_base64(token);
}

std::string signature_in(const Secret& token) {
    constexpr std::string_view name = "X-Amz-Signature=";
    const std::string url = url_in(token);
    return url.substr(url.find(name) + name.size(), 64);
}

}  // namespace

// What aws-msk-iam-sasl-signer-python 1.0.2 (botocore 1.43) makes for the same keys at the same time.

TEST(IamToken, IsThatOfAwssOwnSigner) {
    EXPECT_EQ(url_in(signed_token(keys(), "eu-west-1", now)),
              "https://kafka.eu-west-1.amazonaws.com/?Action=kafka-cluster%3AConnect"
              "&X-Amz-Algorithm=AWS4-HMAC-SHA256"
              "&X-Amz-Credential=AKIDEXAMPLE%2F20261126%2Feu-west-1%2Fkafka-cluster%2Faws4_request"
              "&X-Amz-Date=20261126T184507Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host"
              "&X-Amz-Signature=595db81ec8acd4add3e8b288ede8de6aa2824083560f3440dbe54aa5cbd6b848"
              "&User-Agent=sluice");
    EXPECT_EQ(signature_in(signed_token(keys(), "cn-north-1", now)),
              "8e6498c304ab1371fe0aa24ae2f84ab0dba71ce46fe8e0d086691154fbe23645");
}

TEST(IamToken, OfTemporaryKeysSignsTheirSessionToo) {
    const Keys temporary{.id = "ASIAEXAMPLE2",
                         .secret = Secret{"secret/of+a=session"},
                         .session = "IQoJb3JpZ2luX2Vj//session+token==",
                         .ends = {}};
    const Secret token = signed_token(temporary, "eu-west-1", now);
    EXPECT_EQ(signature_in(token), "db8b4db0073219e00179f92d16cf568b19be5372ab2649db5d3eb33888a3c585");
    EXPECT_TRUE(url_in(token).contains("&X-Amz-Security-Token=IQoJb3JpZ2luX2Vj%2F%2Fsession%2Btoken%3D%3D&"));
}

TEST(IamToken, EndsWithItsKeys) {
    Keys some = keys();
    EXPECT_EQ(end_of_token(some, now), now + token_lifetime);
    some.ends = now + std::chrono::hours{1};
    EXPECT_EQ(end_of_token(some, now), now + token_lifetime);
    some.ends = now + std::chrono::seconds{15};
    EXPECT_EQ(end_of_token(some, now), *some.ends);
}

TEST(IamToken, IsTextWithoutPadding) {
    Keys some = keys();
    for (int length = 1; length < 8; ++length) {
        some.id += 'X';
        EXPECT_EQ(signed_token(some, "eu-west-1", now).bytes().find_first_of("=+/"), std::string::npos);
    }
}

}  // namespace sluice::kafka::iam
