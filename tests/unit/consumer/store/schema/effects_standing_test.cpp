#include <gtest/gtest.h>

#include "consumer/store/schema/effects_version.hpp"

namespace sluice::store {
namespace {

EffectsVersion version(std::int64_t revision, std::string_view text) {
    return {revision, crypto::sha256(text)};
}

EffectsStanding stands(const EffectsVersion& ours, const EffectsVersion& recorded) {
    return standing_of(ours, EffectsInForce{recorded, WallTime{}});
}

TEST(EffectsStanding, OtherEffectsUnderAHigherRevisionOvertake) {
    EXPECT_EQ(stands(version(1, "a"), version(2, "b")), EffectsStanding::outdated);
    EXPECT_EQ(stands(version(0, "a"), version(1, "b")), EffectsStanding::outdated) << "a file without one";
}

TEST(EffectsStanding, TheSameEffectsAreInForceWhateverTheirNumber) {
    EXPECT_EQ(stands(version(1, "a"), version(2, "a")), EffectsStanding::in_force);
    EXPECT_EQ(stands(version(0, "a"), version(2, "a")), EffectsStanding::in_force);
}

TEST(EffectsStanding, OthersUnderTheSameRevisionDiffer) {
    EXPECT_EQ(stands(version(2, "a"), version(2, "b")), EffectsStanding::differ);
}

TEST(EffectsStanding, AHigherRevisionAndTheFirstOneAreInForce) {
    EXPECT_EQ(stands(version(3, "a"), version(2, "b")), EffectsStanding::in_force);
    EXPECT_EQ(standing_of(version(0, "a"), std::nullopt), EffectsStanding::in_force);
}

}  // namespace
}  // namespace sluice::store
