#include <format>

#include <gtest/gtest.h>

#include "consumer/store/schema/migration.hpp"

namespace sluice::store {
namespace {

const Migration migration_a{1, "0001_a", "CREATE TABLE a (x INT)"};
const Migration migration_b{2, "0002_b", "CREATE TABLE b (x INT); CREATE TABLE c (x INT)"};
const std::vector<Migration> both{migration_a, migration_b};

MigrationRow applied(const Migration& migration) {
    return {migration.version, std::string{migration.name}, checksum_of(migration), 1, 1, true};
}

std::vector<int> pending(const MigrationPlan& plan) {
    std::vector<int> versions;
    for (const auto& migration : plan.pending) versions.push_back(migration.version);
    return versions;
}

TEST(MigrationPlan, TakesAllForAnEmptyDatabase) {
    const auto plan = plan_migrations(both, {});
    EXPECT_EQ(pending(plan), (std::vector<int>{1, 2}));
    EXPECT_TRUE(plan.problems.empty());
}

TEST(MigrationPlan, TakesNothingWhenAllAreApplied) {
    const std::vector rows{applied(migration_a), applied(migration_b)};
    const auto plan = plan_migrations(both, rows);
    EXPECT_TRUE(plan.pending.empty());
    EXPECT_TRUE(plan.problems.empty());
}

TEST(MigrationPlan, GoesOnWithOneThatIsHalfDone) {
    auto half = applied(migration_b);
    half.complete = false;
    const std::vector rows{applied(migration_a), half};
    EXPECT_EQ(pending(plan_migrations(both, rows)), (std::vector<int>{2}));
}

TEST(MigrationPlan, RefusesATextThatHasChanged) {
    auto changed = applied(migration_a);
    changed.checksum = checksum_of(migration_b);
    const std::vector rows{changed, applied(migration_b)};
    const auto plan = plan_migrations(both, rows);
    ASSERT_EQ(plan.problems.size(), 1U);
    EXPECT_TRUE(plan.problems.front().contains("0001_a"));
}

TEST(MigrationPlan, RefusesATextThatHasChangedWhileHalfDone) {
    auto changed = applied(migration_b);
    changed.checksum = checksum_of(migration_a);
    changed.complete = false;
    const std::vector rows{applied(migration_a), changed};
    EXPECT_EQ(plan_migrations(both, rows).problems.size(), 1U);
}

TEST(MigrationPlan, RefusesToGoBackBehindALaterOne) {
    const std::vector rows{applied(migration_b)};
    const auto plan = plan_migrations(both, rows);
    ASSERT_EQ(plan.problems.size(), 1U);
    EXPECT_TRUE(plan.problems.front().contains("0002_b"));
}

TEST(MigrationPlan, LeavesNewerOnesAlone) {
    const std::vector rows{applied(migration_a), applied(migration_b), applied({3, "0003_c", "later"})};
    const auto plan = plan_migrations(both, rows);
    EXPECT_TRUE(plan.pending.empty());
    EXPECT_TRUE(plan.problems.empty());
    EXPECT_EQ(plan.newer, 1);
}

TEST(EmbeddedMigrations, CountFromOneWithoutGaps) {
    int version = 0;
    for (const auto& migration : embedded_migrations()) {
        EXPECT_EQ(migration.version, ++version);
        EXPECT_TRUE(migration.name.starts_with(std::format("{:04}_", version))) << migration.name;
    }
    EXPECT_GE(version, 2);
}

TEST(EmbeddedMigrations, NeverLookAwayFromATableOfSomebodyElse) {
    for (const auto& migration : embedded_migrations()) {
        EXPECT_FALSE(migration.sql.contains("IF NOT EXISTS")) << migration.name;
    }
}

}  // namespace
}  // namespace sluice::store
