#include "ingress/publish/topic_readiness.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "common/kafka/error.hpp"

namespace sluice::publish {
namespace {

class TopicReadinessTest : public testing::Test {
protected:
    void nobody_answers(const std::string& why) {
        topics_.failed(kafka::make_error(RD_KAFKA_RESP_ERR__TIMED_OUT), why);
    }
    [[nodiscard]] bool serves() const { return readiness_.ready(); }
    [[nodiscard]] bool is_well() const { return readiness_.concerns().at("kafka"); }

    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC)}};
    Readiness readiness_;
    TopicReadiness topics_{log_, readiness_, "no metadata yet"};
};

TEST_F(TopicReadinessTest, NothingServesBeforeTheFirstGoodLook) {
    EXPECT_FALSE(serves());
    for (int look = 0; look < 3; ++look) {
        nobody_answers("no broker");
        EXPECT_FALSE(serves());
    }
    topics_.good();
    EXPECT_TRUE(serves() && is_well());
}

TEST_F(TopicReadinessTest, OneLookWithoutAnAnswerIsNothing) {
    topics_.good();
    for (int time = 0; time < 3; ++time) {
        nobody_answers("timed out");
        EXPECT_TRUE(serves() && is_well() && !topics_.is_away());
        topics_.good();
    }
}

TEST_F(TopicReadinessTest, WhileKafkaIsAwayItIsSaidAndStillServes) {
    topics_.good();
    for (int look = 0; look < 10; ++look) nobody_answers("no broker");
    EXPECT_TRUE(serves()) << "it answers 503 itself";
    EXPECT_FALSE(is_well());
    EXPECT_TRUE(topics_.is_away()) << "markers of its records count no more";
    EXPECT_EQ(readiness_.report(), "kafka: degraded: no broker\n");
    topics_.good();
    EXPECT_TRUE(serves() && is_well() && !topics_.is_away());
}

TEST_F(TopicReadinessTest, ATopicThatIsWrongTakesNoTraffic) {
    topics_.good();
    nobody_answers("no broker");
    topics_.wrong("the topic has one replica");
    EXPECT_FALSE(serves());
    EXPECT_FALSE(topics_.is_away()) << "it has answered";
}

TEST_F(TopicReadinessTest, WhatABrokerRefusesIsNoSilence) {
    for (const auto refusal : {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
                               RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART}) {
        topics_.good();
        topics_.failed(kafka::make_error(refusal), "the settings cannot be seen");
        EXPECT_FALSE(serves()) << "nobody looks after the topic any more";
        EXPECT_FALSE(topics_.is_away());
    }
}

TEST_F(TopicReadinessTest, ATopicThatWasWrongIsNotServedSinceKafkaFellSilent) {
    topics_.good();
    topics_.wrong("the topic has one replica");
    for (int look = 0; look < 3; ++look) nobody_answers("no broker");
    EXPECT_FALSE(serves());
    topics_.good();
    EXPECT_TRUE(serves());
}

}  // namespace
}  // namespace sluice::publish
