#include "consumer/lane/run/shut_topics.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime beginning{1h};

TEST(ShutTopics, ATopicThatRefusedIsLeftAloneForAMomentAndOthersAreNot) {
    ShutTopics topics;
    EXPECT_TRUE(topics.is_open("dlq", beginning));
    topics.refused("dlq", beginning);
    EXPECT_FALSE(topics.is_open("dlq", beginning + 499ms));
    EXPECT_TRUE(topics.is_open("dlq", beginning + 500ms));
    EXPECT_TRUE(topics.is_open("retry.5s", beginning));
}

TEST(ShutTopics, EachRefusalDoublesTheWaitUpToHalfAMinute) {
    ShutTopics topics;
    SteadyTime now = beginning;
    for (const auto wait : {500ms, 1000ms, 2000ms, 4000ms, 8000ms, 16'000ms, 30'000ms, 30'000ms}) {
        topics.refused("dlq", now);
        EXPECT_FALSE(topics.is_open("dlq", now + wait - 1ms));
        now += wait;
        EXPECT_TRUE(topics.is_open("dlq", now));
    }
}

TEST(ShutTopics, OneThatTakesARecordBeginsAnew) {
    ShutTopics topics;
    topics.refused("dlq", beginning);
    topics.refused("dlq", beginning);
    topics.took("dlq");
    EXPECT_TRUE(topics.is_open("dlq", beginning));
    topics.refused("dlq", beginning);
    EXPECT_TRUE(topics.is_open("dlq", beginning + 500ms));
}

TEST(ShutTopics, ForgetsRatherThanGrows) {
    ShutTopics dead_letters;
    for (int id = 0; id < 1000; ++id) dead_letters.refused(std::to_string(id), beginning);
    EXPECT_FALSE(dead_letters.is_open("999", beginning));
    dead_letters.refused("1000", beginning);
    EXPECT_TRUE(dead_letters.is_open("999", beginning));
    EXPECT_FALSE(dead_letters.is_open("1000", beginning));
}

}  // namespace
}  // namespace sluice::consumer
