#include "consumer/store/schema/schema.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using Kind = SchemaVerdict::Kind;
using SchemaTest = ServerTest;

constexpr WallTime now{};

TEST_F(SchemaTest, WaitsForMigrations) {
    const auto connection = open();
    const auto verdict = check_schema(*connection, "sluice", 512 << 10, now);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->kind, Kind::wait);
    EXPECT_TRUE(verdict->sentence.contains("sluicectl migrate")) << verdict->sentence;
    EXPECT_TRUE(verdict->sentence.contains(database)) << verdict->sentence;
}

TEST_F(SchemaTest, RecordsItsGroupInAFreshDatabase) {
    const auto connection = open_migrated();
    for (int i = 0; i < 2; ++i) {
        const auto verdict = check_schema(*connection, "sluice", 512 << 10, now);
        ASSERT_TRUE(verdict) << connection->last_error().message;
        EXPECT_EQ(verdict->kind, Kind::ready) << verdict->sentence;
    }
    EXPECT_EQ(text(*connection, "SELECT value FROM sluice_meta WHERE name = 'consumer_group'"), "sluice");
}

TEST_F(SchemaTest, RefusesAnotherGroup) {
    const auto connection = open_migrated();
    ASSERT_TRUE(check_schema(*connection, "sluice", 512 << 10, now));
    const auto verdict = check_schema(*connection, "other", 512 << 10, now);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->kind, Kind::refuse);
    EXPECT_TRUE(verdict->sentence.contains("sluice") && verdict->sentence.contains("other"))
        << verdict->sentence;
}

TEST_F(SchemaTest, RefusesGroupsThatDifferInCase) {
    const auto connection = open_migrated();
    ASSERT_TRUE(check_schema(*connection, "sluice", 512 << 10, now));
    EXPECT_EQ(check_schema(*connection, "Sluice", 512 << 10, now)->kind, Kind::refuse);
}

TEST_F(SchemaTest, WaitsForAMissingTableOfItsOwn) {
    const auto connection = open_migrated();
    run(*connection, "DROP TABLE sluice_meta");
    const auto verdict = check_schema(*connection, "sluice", 512 << 10, now);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->kind, Kind::wait);
    EXPECT_TRUE(verdict->sentence.contains("sluice_meta")) << verdict->sentence;
}

TEST_F(SchemaTest, RefusesAMigrationThatDiffers) {
    const auto connection = open_migrated();
    run(*connection, "UPDATE sluice_migration SET checksum = 'other' WHERE version = 2");
    EXPECT_EQ(check_schema(*connection, "sluice", 512 << 10, now)->kind, Kind::refuse);
}

TEST_F(SchemaTest, FailsWithoutAConnection) {
    const auto connection = open_migrated();
    run(*open(), "KILL " + std::to_string(number(*connection, "SELECT CONNECTION_ID()")));
    const auto verdict = check_schema(*connection, "sluice", 512 << 10, now);
    ASSERT_FALSE(verdict);
    EXPECT_EQ(class_of_failure(verdict), ErrorClass::connection);
}

}  // namespace
}  // namespace sluice::store
