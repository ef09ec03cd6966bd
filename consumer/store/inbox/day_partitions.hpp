#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/retention.hpp"

/// The partitions of a table as the server has them, and the statements that change them.
namespace sluice::store {

/// In order of their bounds.
[[nodiscard]] Result<std::vector<DayPartition>> read_partitions(Connection& connection,
                                                                std::string_view table);

/// Cuts `days` (ascending) off the newest partition; its rows go where they belong.
[[nodiscard]] Result<void> split_newest(Connection& connection, const std::string& table,
                                        std::span<const std::chrono::sys_days> days);

/// Whether the inbox partition has rows that must stay: unfinished ones, a DLQ record that is owed or an
/// entry that is open (a dead event stays until an operator retries or skips it). Reads the whole partition
/// when it has none.
[[nodiscard]] Result<bool> has_unfinished_rows(Connection& connection, const DayPartition& partition);

[[nodiscard]] Result<void> drop_partition(Connection& connection, const std::string& table,
                                          const DayPartition& partition);

/// The condition on `inbox` under which a row may go.
inline constexpr std::string_view finished_condition =
    "status IN ('done', 'ignored', 'skipped') AND (dlq_sent IS NULL OR dlq_sent = 1)";

}  // namespace sluice::store
