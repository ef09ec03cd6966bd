#include "consumer/store/inbox/day_partitions.hpp"

#include <array>

#include "common/time_text.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

/// "'2026-11-22'" as information_schema has it; nullopt for MAXVALUE.
std::optional<std::chrono::sys_days> bound_of(const std::string& description) {
    if (description.size() < 2 || description.front() != '\'') return std::nullopt;
    return day_from_text(std::string_view{description}.substr(1, description.size() - 2));
}

}  // namespace

Result<std::vector<DayPartition>> read_partitions(Connection& connection, std::string_view table) {
    const std::array<Datum, 1> parameters{table};
    const auto rows = connection.query(
        "SELECT PARTITION_NAME, PARTITION_DESCRIPTION FROM information_schema.PARTITIONS"
        " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND PARTITION_NAME IS NOT NULL"
        " ORDER BY PARTITION_ORDINAL_POSITION",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<DayPartition> partitions;
    for (const auto& row : *rows) {
        partitions.push_back({text_column(row.at(0)), bound_of(text_column(row.at(1)))});
    }
    return partitions;
}

Result<void> split_newest(Connection& connection, const std::string& table,
                          std::span<const std::chrono::sys_days> days) {
    std::string statement = "ALTER TABLE " + table + " REORGANIZE PARTITION p_newest INTO (";
    for (const auto day : days) {
        statement += "PARTITION " + partition_name(day) + " VALUES LESS THAN ('" +
                     to_text(day + std::chrono::days{1}) + "'), ";
    }
    statement += "PARTITION p_newest VALUES LESS THAN (MAXVALUE))";
    const auto done = connection.run(statement);
    if (!done) return Failure{done.error()};
    return {};
}

Result<bool> has_unfinished_rows(Connection& connection, const DayPartition& partition) {
    const auto rows = connection.query("SELECT 1 FROM inbox PARTITION (" + partition.name + ") WHERE NOT (" +
                                           std::string{finished_condition} + ") LIMIT 1",
                                       {});
    if (!rows) return Failure{rows.error()};
    return !rows->empty();
}

Result<void> drop_partition(Connection& connection, const std::string& table, const DayPartition& partition) {
    const auto done = connection.run("ALTER TABLE " + table + " DROP PARTITION " + partition.name);
    if (!done) return Failure{done.error()};
    return {};
}

}  // namespace sluice::store
