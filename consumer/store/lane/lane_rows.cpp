#include "consumer/store/lane/lane_rows.hpp"

#include "common/time_text.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

lane::Status lane_status_column(const OwnedDatum& column) {
    return lane::status_from(text_column(column)).value_or(lane::Status::newer);
}

int count_column(const OwnedDatum& column) {
    return static_cast<int>(std::get<std::int64_t>(column));
}

/// A row that never waited for time has none, and the rules' zero for it.
Datum due_datum(WallTime due_at) {
    if (due_at == WallTime{}) return nullptr;
    return due_at;
}

}  // namespace

lane::Wakeup wakeup_columns(const Row& columns) {
    return {.gen = std::get<std::int64_t>(columns.at(0)),
            .due = time_column(columns.at(1)),
            .sent = std::get<std::int64_t>(columns.at(2)) != 0};
}

void append_wakeup(std::vector<Datum>& out, const lane::Wakeup& wakeup) {
    out.insert(out.end(), {wakeup.gen, time_datum(wakeup.due), std::int64_t{wakeup.sent ? 1 : 0}});
}

lane::Row lane_row_columns(const Row& columns) {
    return {.position = std::get<std::int64_t>(columns.at(0)),
            .status = lane_status_column(columns.at(1)),
            .attempts = count_column(columns.at(2)),
            .deferrals = count_column(columns.at(3)),
            .due_at = time_column(columns.at(4)).value_or(WallTime{}),
            .first_failed_at = time_column(columns.at(5)),
            .may_be_superseded = count_column(columns.at(6)) != 0,
            .lets_pass = count_column(columns.at(7)) != 0};
}

void append_lane_row(std::vector<Datum>& out, const lane::Row& row) {
    out.insert(out.end(), {lane::name_of(row.status), std::int64_t{row.attempts}, std::int64_t{row.deferrals},
                           due_datum(row.due_at), time_datum(row.first_failed_at),
                           std::int64_t{row.may_be_superseded ? 1 : 0}, std::int64_t{row.lets_pass ? 1 : 0}});
}

std::optional<InboxKey> inbox_key_columns(const OwnedDatum& event_day, const OwnedDatum& dedup_key) {
    const auto day = time_column(event_day);
    if (!day) return std::nullopt;
    return InboxKey{day_of(*day), digest_column(dedup_key)};
}

void append_inbox_key(std::vector<Datum>& out, const std::optional<InboxKey>& key) {
    if (key) {
        out.insert(out.end(), {key->event_day, digest_datum(key->dedup_key)});
    } else {
        out.insert(out.end(), {nullptr, nullptr});
    }
}

InboxStatus inbox_status_of(lane::Status status) noexcept {
    switch (status) {
        case lane::Status::deferred:
            return InboxStatus::deferred;
        case lane::Status::retry:
            return InboxStatus::retry;
        case lane::Status::dead:
            return InboxStatus::dead;
        case lane::Status::newer:
            return InboxStatus::newer;
        case lane::Status::parked:
            break;
    }
    return InboxStatus::parked;
}

}  // namespace sluice::store
