#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "consumer/lane/rules/lane.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

/// From and to the columns of `lane` and `lane_event`. What is read is exactly what was written, as the rules
/// compare rows. A column that is not what the migration made it throws std::runtime_error.
namespace sluice::store {

/// generation, wakeup_due, wakeup_sent.
[[nodiscard]] lane::Wakeup wakeup_columns(const Row& columns);
void append_wakeup(std::vector<Datum>& out, const lane::Wakeup& wakeup);

/// position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, lets_pass.
[[nodiscard]] lane::Row lane_row_columns(const Row& columns);
/// The same without the position.
void append_lane_row(std::vector<Datum>& out, const lane::Row& row);

/// nullopt: the event has no inbox row.
[[nodiscard]] std::optional<InboxKey> inbox_key_columns(const OwnedDatum& event_day,
                                                        const OwnedDatum& dedup_key);
/// event_day, dedup_key: a view of `key`.
void append_inbox_key(std::vector<Datum>& out, const std::optional<InboxKey>& key);

[[nodiscard]] InboxStatus inbox_status_of(lane::Status status) noexcept;

}  // namespace sluice::store
