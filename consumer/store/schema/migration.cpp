#include "consumer/store/schema/migration.hpp"

#include <algorithm>
#include <array>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/named_lock.hpp"
#include "consumer/store/driver/sql_text.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr const char* create_table =
    "CREATE TABLE IF NOT EXISTS sluice_migration ("
    " version INT NOT NULL PRIMARY KEY,"
    " name VARBINARY(128) NOT NULL,"
    " checksum VARBINARY(64) NOT NULL,"
    " started INT NOT NULL,"  // statements; more than `finished` while one is under way
    " finished INT NOT NULL,"
    " applied_at DATETIME(6) NULL"  // NULL until the last statement is done
    ") ENGINE = InnoDB";

/// What a statement answers when it was carried out before: exists already, or is gone already.
bool says_done_before(std::error_code error) {
    constexpr std::array codes{1050, 1060, 1061, 1068, 1091, 1517};
    return error.category() == category() && std::ranges::contains(codes, error.value());
}

Result<void> write_progress(Connection& connection, int version, int started, int finished) {
    const std::array<Datum, 3> parameters{std::int64_t{started}, std::int64_t{finished},
                                          std::int64_t{version}};
    const auto done = connection.execute(
        "UPDATE sluice_migration SET started = ?, finished = ? WHERE version = ?", parameters);
    if (!done) return Failure{done.error()};
    return {};
}

Result<void> insert_row(Connection& connection, const Migration& migration) {
    const auto checksum = checksum_of(migration);
    const std::array<Datum, 3> parameters{std::int64_t{migration.version}, Bytes{migration.name},
                                          Bytes{checksum}};
    const auto done = connection.execute(
        "INSERT INTO sluice_migration (version, name, checksum, started, finished) VALUES (?, ?, ?, 0, 0)",
        parameters);
    if (!done) return Failure{done.error()};
    return {};
}

Result<void> complete(Connection& connection, int version) {
    const std::array<Datum, 1> parameters{std::int64_t{version}};
    const auto done = connection.execute(
        "UPDATE sluice_migration SET applied_at = UTC_TIMESTAMP(6) WHERE version = ?", parameters);
    if (!done) return Failure{done.error()};
    return {};
}

/// One statement with its progress around it. `may_be_done`: a process died in this very statement, so
/// "exists already" is its own work; otherwise the table is not ours, which is an error.
Result<void> apply_statement(Connection& connection, int version, int number, std::string_view statement,
                             bool may_be_done) {
    if (const auto noted = write_progress(connection, version, number, number - 1); !noted) return noted;
    const auto done = connection.run(std::string{statement});
    if (!done && !(may_be_done && says_done_before(done.error()))) {
        // Refused as a whole, so not under way. Without a connection the row stays as it is: the outcome is
        // unknown.
        if (connection.alive()) {
            static_cast<void>(write_progress(connection, version, number - 1, number - 1));
        }
        return Failure{done.error()};
    }
    return write_progress(connection, version, number, number);
}

using OnStep = std::function<void(const Migration&, std::size_t)>;

Result<void> apply(Connection& connection, const Migration& migration, const MigrationRow* row,
                   const OnStep& on_step) {
    if (row == nullptr) {
        if (const auto noted = insert_row(connection, migration); !noted) return noted;
    }
    const auto statements = statements_of(migration.sql).value();  // our own text, cut in a unit test
    const auto finished = row != nullptr ? static_cast<std::size_t>(row->finished) : 0;
    for (auto i = finished; i < statements.size(); ++i) {
        if (on_step) on_step(migration, i + 1);
        const auto number = static_cast<int>(i) + 1;
        const bool may_be_done = row != nullptr && row->started == number && row->finished < number;
        const auto done = apply_statement(connection, migration.version, number, statements[i], may_be_done);
        if (!done) return done;
    }
    return complete(connection, migration.version);
}

}  // namespace

std::string checksum_of(const Migration& migration) {
    return crypto::to_hex(crypto::sha256(migration.sql));
}

Patience migration_patience() {
    // Its DDL waits for each open transaction on the table, and all other sessions then wait for it.
    return {.read = std::chrono::hours{1},
            .lock_wait = std::chrono::minutes{1},
            .statement = std::chrono::seconds{0}};
}

Result<std::vector<MigrationRow>> read_migrations(Connection& connection) {
    const auto there = connection.query(
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
        " AND TABLE_NAME = 'sluice_migration'",
        {});
    if (!there) return Failure{there.error()};
    if (std::get<std::int64_t>(there->at(0).at(0)) == 0) return std::vector<MigrationRow>{};

    const auto rows = connection.query(
        "SELECT version, name, checksum, started, finished, applied_at FROM sluice_migration"
        " ORDER BY version",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<MigrationRow> out;
    for (const auto& row : *rows) {
        const auto integer = [&row](std::size_t i) {
            return static_cast<int>(std::get<std::int64_t>(row.at(i)));
        };
        out.push_back({integer(0), text_column(row.at(1)), text_column(row.at(2)), integer(3), integer(4),
                       !std::holds_alternative<std::nullptr_t>(row.at(5))});
    }
    return out;
}

Result<MigrationPlan> plan_migrations(Connection& connection) {
    const auto rows = read_migrations(connection);
    if (!rows) return Failure{rows.error()};
    return plan_migrations(embedded_migrations(), *rows);
}

Result<MigrationOutcome> migrate(Connection& connection, const OnStep& on_step) {
    const auto lock = NamedLock::acquire(connection, "migrate", std::chrono::seconds{30});
    if (!lock) return Failure{lock.error()};
    if (!lock->has_value()) return MigrationOutcome{0, {"another migration of this database is running"}};

    if (const auto made = connection.run(create_table); !made) return Failure{made.error()};
    const auto rows = read_migrations(connection);
    if (!rows) return Failure{rows.error()};
    const auto plan = plan_migrations(embedded_migrations(), *rows);
    MigrationOutcome outcome{0, plan.problems};
    if (!outcome.problems.empty()) return outcome;
    for (const auto& migration : plan.pending) {
        const auto row = std::ranges::find(*rows, migration.version, &MigrationRow::version);
        const auto done = apply(connection, migration, row != rows->end() ? &*row : nullptr, on_step);
        if (!done) return Failure{done.error()};
        ++outcome.applied;
    }
    return outcome;
}

}  // namespace sluice::store
