#include "common/kafka/error.hpp"

#include <gtest/gtest.h>

namespace sluice::kafka {
namespace {

TEST(KafkaError, SuccessIsNoError) {
    EXPECT_FALSE(make_error(RD_KAFKA_RESP_ERR_NO_ERROR));
}

TEST(KafkaError, KeepsLibrdkafkasCodeAndWords) {
    const std::error_code code = make_error(RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE);
    EXPECT_EQ(code.value(), 10);
    EXPECT_EQ(&code.category(), &category());
    EXPECT_STREQ(code.category().name(), "kafka");
    EXPECT_TRUE(code.message().starts_with("MSG_SIZE_TOO_LARGE: ")) << code.message();
}

}  // namespace
}  // namespace sluice::kafka
