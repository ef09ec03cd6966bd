#include "common/config/nearest_key.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

const std::vector<std::string> known{"brokers", "topic", "group", "tls", "sasl"};

TEST(NearestKey, FindsAKeyWithFewLettersWrong) {
    EXPECT_EQ(nearest_key("broker", known), "brokers");
    EXPECT_EQ(nearest_key("brokkers", known), "brokers");
    EXPECT_EQ(nearest_key("topik", known), "topic");
    EXPECT_EQ(nearest_key("gorup", known), "group");
    EXPECT_EQ(nearest_key("brokkers", known, 1), "brokers");
    EXPECT_EQ(nearest_key("brokkerz", known, 1), "");
}

TEST(NearestKey, SwappedNeighboursCountAsOne) {
    EXPECT_EQ(nearest_key("tsl", known), "tls");
}

TEST(NearestKey, FarWordsHaveNone) {
    EXPECT_EQ(nearest_key("xyz", known), "");
    EXPECT_EQ(nearest_key("password", known), "");
    EXPECT_EQ(nearest_key(std::string(100'000, 'b'), known), "");
}

TEST(NearestKey, NearerKeyWins) {
    const std::vector<std::string> keys{"lease", "least"};
    EXPECT_EQ(nearest_key("leasst", keys), "least");
}

TEST(Hint, NamesTheNearestKeyOrAllOfThem) {
    EXPECT_EQ(hint("topik", known), "did you mean \"topic\"?");
    EXPECT_EQ(hint("xyz", known), "known keys: brokers, topic, group, tls, sasl");
    EXPECT_EQ(hint("xyz", {}), "no keys are allowed here");
}

}  // namespace
}  // namespace sluice::config
