#include "consumer/store/schema/migration.hpp"

#include "consumer/store/driver/sql_text.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using MigrationTest = ServerTest;

std::int64_t tables(Connection& connection) {
    const auto rows = connection.query(
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> "
        "'sluice_migration'",
        {});
    return std::get<std::int64_t>(rows->at(0).at(0));
}

TEST_F(MigrationTest, AppliesAllAndThenNone) {
    const auto connection = open();
    std::vector<std::string> steps;
    const auto outcome = migrate(*connection, [&steps](const Migration& migration, std::size_t statement) {
        steps.push_back(std::string{migration.name} + "/" + std::to_string(statement));
    });
    ASSERT_TRUE(outcome) << connection->last_error().message;
    EXPECT_EQ(outcome->applied, static_cast<int>(embedded_migrations().size()));
    EXPECT_EQ(steps, (std::vector<std::string>{"0001_inbox/1",
                                               "0001_inbox/2",
                                               "0001_inbox/3",
                                               "0001_inbox/4",
                                               "0001_inbox/5",
                                               "0002_applied_offset/1",
                                               "0003_lane/1",
                                               "0003_lane/2",
                                               "0004_dead_letter/1",
                                               "0005_operator_action/1",
                                               "0005_operator_action/2",
                                               "0006_selftest/1",
                                               "0007_case/1",
                                               "0008_found_by/1",
                                               "0008_found_by/2",
                                               "0008_found_by/3",
                                               "0008_found_by/4",
                                               "0008_found_by/5",
                                               "0008_found_by/6",
                                               "0009_after_case/1",
                                               "0010_outbox/1",
                                               "0010_outbox/2",
                                               "0011_poll/1",
                                               "0012_reconciliation/1",
                                               "0012_reconciliation/2",
                                               "0013_commands/1",
                                               "0014_callback/1",
                                               "0014_callback/2",
                                               "0014_callback/3",
                                               "0015_source_traffic/1"}));
    EXPECT_EQ(tables(*connection), 20);

    const auto again = migrate(*connection);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->applied, 0);
    EXPECT_TRUE(again->problems.empty());
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM sluice_migration WHERE applied_at IS NOT NULL"),
              static_cast<int>(embedded_migrations().size()));
}

// What ends with these words is refused by a server that cannot do it so.
TEST_F(MigrationTest, AddsColumnsWithoutTouchingRowsAndIndexesWhileOthersWrite) {
    const auto connection = open_migrated();
    run(*connection, "DROP TABLE dead_letter, lane, lane_event, inbox");
    run(*connection, "ALTER TABLE erasure DROP COLUMN callbacks");
    for (const auto& migration : embedded_migrations()) {
        const auto statements = statements_of(migration.sql).value();
        for (const auto statement : statements) {
            const std::string sql{statement};
            const bool makes_one =
                migration.version < 7 && (sql.contains("TABLE inbox (") || sql.contains("TABLE lane") ||
                                          sql.contains("TABLE dead_letter ("));
            if (makes_one || migration.name == "0007_case") run(*connection, sql);
            if (migration.version < 8 || sql.contains("CREATE TABLE")) continue;
            const bool is_index = sql.contains("ADD KEY");
            run(*connection, sql + (is_index ? ", ALGORITHM=INPLACE, LOCK=NONE" : ", ALGORITHM=INSTANT"));
        }
    }
    EXPECT_EQ(number(*connection,
                     "SELECT COUNT(DISTINCT TABLE_NAME, INDEX_NAME) FROM information_schema.STATISTICS WHERE"
                     " TABLE_SCHEMA = DATABASE() AND COLUMN_NAME IN ('reference', 'transaction')"),
              6);
}

TEST_F(MigrationTest, MakeNoColumnThatTakesTwoIdsForOne) {
    const auto connection = open_migrated();
    EXPECT_EQ(text(*connection,
                   "SELECT COALESCE(GROUP_CONCAT(CONCAT(TABLE_NAME, '.', COLUMN_NAME)), '')"
                   " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
                   " AND COLLATION_NAME IS NOT NULL AND DATA_TYPE <> 'enum'"),
              "")
        << "columns with a collation: ids differ by case, accents and trailing spaces";
}

TEST_F(MigrationTest, PlansWithoutChangingAnything) {
    const auto connection = open();
    const auto plan = plan_migrations(*connection);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->pending.size(), embedded_migrations().size());
    EXPECT_EQ(
        number(*connection, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"),
        0);
}

TEST_F(MigrationTest, RefusesATableOfSomebodyElse) {
    const auto connection = open();
    run(*connection, "CREATE TABLE inbox (mine INT)");
    for (int attempt = 0; attempt < 3; ++attempt) {
        const auto outcome = migrate(*connection);
        ASSERT_FALSE(outcome) << "attempt " << attempt;
        EXPECT_EQ(code_of(outcome), 1050);
    }
    run(*connection, "DROP TABLE inbox");
    const auto mended = migrate(*connection);
    ASSERT_TRUE(mended) << connection->last_error().message;
    EXPECT_EQ(mended->applied, static_cast<int>(embedded_migrations().size()));
}

TEST_F(MigrationTest, GoesOnAfterACrashBetweenAStatementAndItsRecord) {
    const auto connection = open_migrated();
    run(*connection,
        "DROP TABLE event_payload, applied_offset, lane, lane_event, dead_letter, operator_action,"
        " sluice_selftest, source_keys, undated_key, erasure, outbox, poll_walk,"
        " reconciliation, reconciliation_missing, command_key, callback, anomaly, source_traffic");
    run(*connection,
        "ALTER TABLE inbox DROP COLUMN had_effects, DROP COLUMN reference, DROP COLUMN transaction");
    run(*connection, "DELETE FROM sluice_migration WHERE version > 1");
    run(*connection,
        "UPDATE sluice_migration SET started = 2, finished = 1, applied_at = NULL WHERE version = 1");
    const auto outcome = migrate(*connection);
    ASSERT_TRUE(outcome) << connection->last_error().message;
    EXPECT_EQ(outcome->applied, static_cast<int>(embedded_migrations().size()));
    EXPECT_EQ(tables(*connection), 20);
}

TEST_F(MigrationTest, RefusesADatabaseWhoseMigrationDiffers) {
    const auto connection = open_migrated();
    run(*connection, "UPDATE sluice_migration SET checksum = 'other' WHERE version = 1");
    const auto outcome = migrate(*connection);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->applied, 0);
    EXPECT_EQ(outcome->problems.size(), 1U);
}

TEST_F(MigrationTest, LeavesAloneWhatANewerProgramApplied) {
    const auto connection = open_migrated();
    run(*connection, "INSERT INTO sluice_migration VALUES (99, 'later', 'x', 1, 1, NOW())");
    const auto outcome = migrate(*connection);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->applied, 0);
    EXPECT_TRUE(outcome->problems.empty());
}

}  // namespace
}  // namespace sluice::store
