#include "consumer/store/effects_version.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using EffectsVersionTest = ServerTest;

EffectsVersion effects(std::int64_t revision, std::string_view text) {
    return {revision, crypto::sha256(text)};
}

std::int64_t revision_of(const Result<std::optional<EffectsInForce>>& recorded) {
    return recorded && *recorded ? (*recorded)->version.revision : -1;
}

TEST_F(EffectsVersionTest, TheHighestRevisionIsRecordedWithItsDigest) {
    const auto connection = open_migrated();
    EXPECT_EQ(effects_in_force(*connection).value(), std::nullopt);
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(0, "none"), WallTime{})), -1);
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(5, "new"), WallTime{})), 5);
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(4, "old"), WallTime{})), 5);
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(6, "new"), WallTime{})), 6);
    EXPECT_EQ(effects_in_force(*connection).value()->version.digest, crypto::sha256("new"));
}

TEST_F(EffectsVersionTest, WhatIsPutInForceGetsTheNextRevision) {
    const auto connection = open_migrated();
    EXPECT_EQ(revision_of(put_effects_in_force(*connection, effects(1, "old"), WallTime{})), -1)
        << "the first consumer records it";
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(7, "new"), WallTime{})), 7);
    EXPECT_EQ(revision_of(put_effects_in_force(*connection, effects(1, "old"), WallTime{})), 8);
    EXPECT_EQ(revision_of(put_effects_in_force(*connection, effects(1, "old"), WallTime{})), 8);
    EXPECT_EQ(revision_of(put_effects_in_force(*connection, effects(9, "next"), WallTime{})), 8);
    EXPECT_EQ(standing_of(effects(7, "new"), effects_in_force(*connection).value()),
              EffectsStanding::outdated);
}

}  // namespace
}  // namespace sluice::store
