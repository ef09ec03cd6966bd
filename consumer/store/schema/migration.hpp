#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/driver/connection.hpp"

/// Numbered, forward-only migrations: the files of deploy/mysql, embedded at build time. Used by
/// `sluicectl migrate`; the consumer only looks (consumer/store/schema/schema.hpp).
namespace sluice::store {

struct Migration {
    int version = 0;        ///< from the file's name, 1 upwards without gaps
    std::string_view name;  ///< "0001_inbox"
    std::string_view sql;
};

/// In order of version.
[[nodiscard]] std::span<const Migration> embedded_migrations();

/// SHA-256 of the text as lower-case hex.
[[nodiscard]] std::string checksum_of(const Migration& migration);

/// A row of sluice_migration. `started` and `finished` count statements: they differ by one while a statement
/// is under way or when the process died in it.
struct MigrationRow {
    int version = 0;
    std::string name;
    std::string checksum;
    int started = 0;
    int finished = 0;
    bool complete = false;
};

struct MigrationPlan {
    std::vector<Migration> pending;     ///< in order; the first may be half done
    std::vector<std::string> problems;  ///< sentences; nothing may be applied while there is one
    int newer = 0;                      ///< rows that this program does not know
};

/// Pure.
[[nodiscard]] MigrationPlan plan_migrations(std::span<const Migration> migrations,
                                            std::span<const MigrationRow> rows);

/// What the database has; empty when it has no table sluice_migration.
[[nodiscard]] Result<std::vector<MigrationRow>> read_migrations(Connection& connection);

/// A dry run: what `migrate` would do.
[[nodiscard]] Result<MigrationPlan> plan_migrations(Connection& connection);

/// For `migrate`: statements may copy tables.
[[nodiscard]] Patience migration_patience();

struct MigrationOutcome {
    int applied = 0;
    std::vector<std::string> problems;  ///< why nothing (more) was applied; empty: the database is up to date
};

/// Applies what is pending under a named lock (waits up to 30 s for it). May be run again after anything,
/// also after a crash between a statement and its record. `on_step` is called before each statement, which
/// counts from 1. The error of a statement is the Result; its words are in Connection::last_error().
[[nodiscard]] Result<MigrationOutcome> migrate(
    Connection& connection, const std::function<void(const Migration&, std::size_t statement)>& on_step = {});

}  // namespace sluice::store
