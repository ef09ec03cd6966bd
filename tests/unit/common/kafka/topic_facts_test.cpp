#include "common/kafka/topic_facts.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "common/kafka/client_config.hpp"
#include "common/kafka/error.hpp"

namespace sluice::kafka {
namespace {

Client producer(const std::string& property, const std::string& value) {
    Conf conf{rd_kafka_conf_new()};
    std::array<char, 256> reason{};
    EXPECT_EQ(rd_kafka_conf_set(conf.get(), property.c_str(), value.c_str(), reason.data(), reason.size()),
              RD_KAFKA_CONF_OK);
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);
    return make_client(RD_KAFKA_PRODUCER, std::move(conf), {}).value_or(nullptr);
}

TEST(TopicFacts, GivesUpWhenNoBrokerAnswers) {
    const Client client = producer("bootstrap.servers", "127.0.0.1:1");
    const auto facts = read_topic_facts(*client, "t", std::chrono::milliseconds{50});
    ASSERT_FALSE(facts.has_value());
    EXPECT_EQ(&facts.error().category(), &category()) << facts.error().message();
}

}  // namespace
}  // namespace sluice::kafka
