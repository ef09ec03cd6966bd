// The life of a call searched through: whoever crashes, pauses or is overtaken, whatever the service does.
#include <gtest/gtest.h>

#include "tests/model/calls/call_world.hpp"

namespace sluice::command::model {
namespace {

void expect_right(const Setting& setting) {
    const Searched searched = search(setting);
    EXPECT_EQ(searched.wrong, std::nullopt);
    EXPECT_GT(searched.worlds, 1000U);
    testing::Test::RecordProperty("worlds", std::to_string(searched.worlds));
}

TEST(CallModel, QuickAServiceThatHeedsFencesExecutesOnce) {
    expect_right({});
}

TEST(CallModel, DeepOneThatDoesNotExecutesOnceForEachAbsent) {
    expect_right({.heeds_fences = false});
}

TEST(CallModel, QuickWithoutAQueryItIsSentOnce) {
    expect_right({.has_query = false, .heeds_fences = false});
}

class PlantedCall : public testing::TestWithParam<Setting> {};

TEST_P(PlantedCall, QuickIsFound) {
    EXPECT_TRUE(search(GetParam()).wrong);
}

INSTANTIATE_TEST_SUITE_P(EachRule, PlantedCall,
                         testing::Values(Setting{.planted = Planted::no_fence, .requests = 3, .crashes = 0},
                                         Setting{.planted = Planted::expiry_is_free},
                                         Setting{.planted = Planted::told_before_saved, .has_query = false},
                                         Setting{.planted = Planted::sent_before_saved},
                                         Setting{.planted = Planted::print_forgotten},
                                         Setting{.planted = Planted::anybody_deletes}));

}  // namespace
}  // namespace sluice::command::model
