#include "consumer/destination/webhook_signature.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::consumer {
namespace {

/// The example of the Standard Webhooks specification ("Examples", symmetric).
TEST(WebhookSignature, IsThatOfTheSpecification) {
    const Secret key{crypto::from_base64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value()};
    const std::vector<Secret> keys = [&] {
        std::vector<Secret> one;
        one.push_back(key.clone());
        return one;
    }();
    EXPECT_EQ(
        webhook_signature(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", R"({"test": 2432232314})"),
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSignature, IsOneForEachKey) {
    std::vector<Secret> keys;
    keys.emplace_back("one");
    keys.emplace_back("two");
    const auto both = webhook_signature(keys, "id", "1", "body");
    EXPECT_EQ(both.find(" v1,"), both.size() / 2);
    EXPECT_EQ(both.substr(0, both.size() / 2),
              webhook_signature(std::span{keys}.first(1), "id", "1", "body"));
}

}  // namespace
}  // namespace sluice::consumer
