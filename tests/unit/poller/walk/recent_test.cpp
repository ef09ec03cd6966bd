#include <string>

#include <gtest/gtest.h>

#include "poller/walk/recent.hpp"

namespace sluice::poller {
namespace {

TEST(Recent, KnowsWhatItKeepsUntilItForgets) {
    Recent recent;
    recent.keep("evt_1");
    EXPECT_TRUE(recent.knows("evt_1"));
    EXPECT_FALSE(recent.knows("evt_2"));
    recent.forget("evt_1");
    recent.forget("evt_2");
    EXPECT_FALSE(recent.knows("evt_1"));
    EXPECT_EQ(recent.size(), 0U);
}

TEST(Recent, ForgetsTheOldestBeyondItsMost) {
    Recent recent{2};
    recent.keep("evt_1");
    recent.keep("evt_2");
    recent.keep("evt_1");
    recent.keep("evt_3");
    EXPECT_FALSE(recent.knows("evt_1"));
    EXPECT_TRUE(recent.knows("evt_2"));
    EXPECT_TRUE(recent.knows("evt_3"));
}

TEST(Recent, CountsAnIdThatWasForgottenAndKeptAgainOnce) {
    Recent recent{2};
    recent.keep("evt_1");
    recent.keep("evt_2");
    recent.forget("evt_1");
    recent.keep("evt_1");
    recent.keep("evt_3");
    EXPECT_FALSE(recent.knows("evt_2"));
    EXPECT_TRUE(recent.knows("evt_1"));
    EXPECT_EQ(recent.size(), 2U);
}

}  // namespace
}  // namespace sluice::poller
