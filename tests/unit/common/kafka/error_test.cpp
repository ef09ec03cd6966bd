#include "common/kafka/error.hpp"

#include <set>

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace sluice::kafka {
namespace {

TEST(KafkaError, SuccessIsNoError) {
    const std::error_code none = make_error(RD_KAFKA_RESP_ERR_NO_ERROR);
    EXPECT_FALSE(none);
    EXPECT_FALSE(none == failure::retry);
    EXPECT_FALSE(none == failure::reject);
    EXPECT_FALSE(none == failure::park);
}

TEST(KafkaError, KeepsLibrdkafkasCodeAndWords) {
    const std::error_code code = make_error(RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE);
    EXPECT_EQ(code.value(), 10);
    EXPECT_EQ(&code.category(), &category());
    EXPECT_STREQ(code.category().name(), "kafka");
    EXPECT_TRUE(code.message().starts_with("MSG_SIZE_TOO_LARGE: ")) << code.message();
}

// Every code that the library knows: those that speak of the message itself, and nothing else,
// give an event up.
TEST(KafkaError, OnlyTheMessagesOwnFaultsReject) {
    const std::set<int> rejected{
        RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,  RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE,
        RD_KAFKA_RESP_ERR_INVALID_RECORD,      RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
        RD_KAFKA_RESP_ERR__INVALID_ARG,        RD_KAFKA_RESP_ERR__KEY_SERIALIZATION,
        RD_KAFKA_RESP_ERR__VALUE_SERIALIZATION};
    const rd_kafka_err_desc* known = nullptr;
    std::size_t count = 0;
    rd_kafka_get_err_descs(&known, &count);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (known[i].name == nullptr || known[i].code == RD_KAFKA_RESP_ERR_NO_ERROR) continue;
        ++seen;
        const std::error_code code = make_error(known[i].code);
        const bool reject = rejected.contains(known[i].code);
        EXPECT_EQ(code == failure::reject, reject) << known[i].name;
        EXPECT_EQ(code == failure::retry, !reject) << known[i].name;
        EXPECT_FALSE(code == failure::park) << known[i].name;
    }
    EXPECT_GT(seen, 100U);
}

TEST(KafkaError, ACodeFromTheFutureIsRetried) {
    EXPECT_EQ(make_error(static_cast<rd_kafka_resp_err_t>(250)), failure::retry);
}

}  // namespace
}  // namespace sluice::kafka
