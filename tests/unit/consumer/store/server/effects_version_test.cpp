#include "consumer/store/schema/effects_version.hpp"

#include <limits>

#include "common/error.hpp"
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

std::int64_t put(Connection& connection, const EffectsVersion& ours, const PutBy& by = {"ada", "a test"}) {
    return revision_of(put_effects_in_force(connection, ours, by, WallTime{}));
}

TEST_F(EffectsVersionTest, WhatIsPutInForceGetsTheNextRevision) {
    const auto connection = open_migrated();
    EXPECT_EQ(put(*connection, effects(1, "old")), -1) << "the first consumer records it";
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(7, "new"), WallTime{})), 7);
    EXPECT_EQ(put(*connection, effects(1, "old")), 8);
    EXPECT_EQ(put(*connection, effects(1, "old")), 8);
    EXPECT_EQ(put(*connection, effects(9, "next")), 8);
    EXPECT_EQ(standing_of(effects(7, "new"), effects_in_force(*connection).value()),
              EffectsStanding::outdated);
}

TEST_F(EffectsVersionTest, WhoPutThemInForceIsKeptWithTheRevision) {
    const auto connection = open_migrated();
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(7, "new"), WallTime{})), 7);
    EXPECT_EQ(who_put_in_force(*connection, effects(7, "new")).value(), std::nullopt);
    EXPECT_EQ(put(*connection, effects(7, "other"), {"ada", "under its number"}), 8);
    EXPECT_EQ(put(*connection, effects(7, "new"), {"grace", std::string(1024, 'x')}), 9);
    EXPECT_EQ(who_put_in_force(*connection, effects(8, "other")).value(), "ada: under its number");
    EXPECT_EQ(who_put_in_force(*connection, effects(9, "new")).value()->size(), 1024U) << "cut";
}

TEST_F(EffectsVersionTest, NeitherIsThereWhereOneCannotBeWritten) {
    const auto connection = open_migrated();
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(7, "new"), WallTime{})), 7);
    ASSERT_TRUE(connection->execute("ALTER TABLE sluice_meta ADD CHECK (name <> 'effects.8')", {}));
    EXPECT_FALSE(put_effects_in_force(*connection, effects(1, "old"), {"ada", "why"}, WallTime{}));
    EXPECT_EQ(revision_of(effects_in_force(*connection)), 7);
}

TEST_F(EffectsVersionTest, TheLastNumberHasNoNextOne) {
    const auto connection = open_migrated();
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(revision_of(agree_on_effects(*connection, effects(last - 1, "new"), WallTime{})), last - 1);
    EXPECT_EQ(put(*connection, effects(1, "old")), last);
    const auto failed = put_effects_in_force(*connection, effects(1, "new"), {"ada", "why"}, WallTime{});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), errc::out_of_range);
    EXPECT_EQ(revision_of(effects_in_force(*connection)), last);
}

}  // namespace
}  // namespace sluice::store
