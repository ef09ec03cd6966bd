#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/clock.hpp"

/// The rules that keep an object's events in order while one of them waits. Pure:
/// time is handed in, rows are read and written by consumer/store, records by consumer/retry_role. Read this
/// file, then run_or_park.hpp (the main role), next_turn.hpp (the retry role), command.hpp (operators) and
/// after_attempt.hpp.
///
/// A lane is what MySQL holds of an object that has unfinished events: one row per event (`lane_event`) and
/// one for the lane itself (`lane`). Records on retry topics carry no authority; they only wake lanes.
namespace sluice::lane {

/// Where an event stands among those of its object. Counted up from 1 under the lane's lock in the order in
/// which the main role writes them, which is partition order.
using Position = std::int64_t;

/// Tells wakeups apart: one that names another generation than the lane's own is stale.
using Generation = std::int64_t;

enum class Status {
    deferred,  ///< waits for something that is not there yet; later events pass it
    retry,     ///< failed, will be tried again; holds those behind it
    dead,      ///< given up; holds those behind it until an operator acts
    parked,    ///< not tried yet, because of an earlier one
    newer,     ///< of a newer release: holds those behind it, and this process does not touch it
};

/// An unfinished event. A finished one has no row: its inbox row says how it ended.
struct Row {
    Position position = 0;
    Status status = Status::parked;
    int attempts = 0;                         ///< failures that counted
    int deferrals = 0;                        ///< deferrals that counted
    WallTime due_at{};                        ///< of a deferred or retry row
    std::optional<WallTime> first_failed_at;  ///< failed or deferred
    bool may_be_superseded = false;           ///< of a dead row: `after_dead: skip_superseded`
    bool lets_pass = false;                   ///< of a dead row: a case with `after_case: pass`

    bool operator==(const Row&) const = default;
};

/// The lane's own row. A transaction that commits a change that needs a wakeup makes a new generation and
/// owes a record of it to a retry topic; `sent` is set once the broker has it.
struct Wakeup {
    Generation gen = 0;
    std::optional<WallTime> due;  ///< none: nothing in the lane waits for time
    bool sent = true;             ///< false: the record of `gen` is owed

    bool operator==(const Wakeup&) const = default;
};

/// A dead row whose DLQ record is owed. Which death it is of is part of what is owed: between a record's
/// report and its mark the event may have been retried and be dead once more.
struct OwedDeath {
    Position position = 0;
    std::int64_t death = 0;  ///< the id of its row in `dead_letter`

    bool operator==(const OwedDeath&) const = default;
};

/// A lane as read under its lock. Of the rows only the front is needed, however many are parked behind it:
/// the deferred rows that stand before the first other one, then that one, which is called the head. Rows
/// that let others pass are not in it: until an operator sends one back, it is as if they were not there.
struct Lane {
    Wakeup wakeup;
    std::vector<Row> front;
    std::optional<OwedDeath> dlq_owed;  ///< the first one, wherever it stands
};

/// Whether a row's time has come. No row waits for more than an hour: one that says two was written by a
/// clock that was wrong, and is tried now.
[[nodiscard]] bool has_come(WallTime due_at, WallTime now) noexcept;

/// A new generation that is due at `due`, owed.
[[nodiscard]] Wakeup armed(const Wakeup& wakeup, WallTime due) noexcept;

/// No wakeup is needed any more.
[[nodiscard]] Wakeup at_rest(const Wakeup& wakeup) noexcept;

/// The report for the record of `gen` is there. A newer generation stays owed.
[[nodiscard]] Wakeup with_sent(const Wakeup& wakeup, Generation gen) noexcept;

/// The row that those behind it wait for; nullptr when only deferred rows, or none, are unfinished.
[[nodiscard]] const Row* head_of(const Lane& lane) noexcept;

/// When the lane has to be woken: at the earliest due time of the front. A parked head could run now.
/// nullopt when nothing waits for time: the front is empty or a dead head stands alone in it.
[[nodiscard]] std::optional<WallTime> next_due(const Lane& lane, WallTime now) noexcept;

/// Whether a row of the front is one that only a newer release understands: its wakeup is for that one.
[[nodiscard]] bool has_newer(const Lane& lane) noexcept;

/// For people; no decision reads it.
enum class State { open, deferring, waiting, draining, quarantined };
[[nodiscard]] State state_of(const Lane& lane) noexcept;
[[nodiscard]] std::string_view name_of(State state) noexcept;
[[nodiscard]] std::string_view name_of(Status status) noexcept;
[[nodiscard]] std::optional<Status> status_from(std::string_view name) noexcept;

}  // namespace sluice::lane
