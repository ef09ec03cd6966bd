#include "common/record/marker_key.hpp"

#include <gtest/gtest.h>

namespace sluice::record {
namespace {

TEST(MarkerKey, HasItsForm) {
    EXPECT_EQ(marker_key("0123456789abcdef", std::string(64, 'a')),
              "wh:0123456789abcdef:" + std::string(64, 'a'));
}

TEST(MarkerEpoch, ChangesWithClusterTopicAndBump) {
    const std::string epoch = marker_epoch("cluster", "topic", 1);
    EXPECT_EQ(epoch.size(), 16U);
    EXPECT_EQ(epoch, marker_epoch("cluster", "topic", 1));
    EXPECT_NE(epoch, marker_epoch("cluster2", "topic", 1));
    EXPECT_NE(epoch, marker_epoch("cluster", "topic2", 1));
    EXPECT_NE(epoch, marker_epoch("cluster", "topic", 2));
    EXPECT_NE(marker_epoch("ab", "c", 1), marker_epoch("a", "bc", 1)) << "the parts slide into each other";
}

}  // namespace
}  // namespace sluice::record
