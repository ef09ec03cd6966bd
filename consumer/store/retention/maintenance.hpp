#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// What one round did, for metrics and the log.
struct MaintenanceReport {
    bool had_lock = true;        ///< false: another process is at it; only `days_ahead` was read
    bool clocks_differ = false;  ///< ours and the server's, by more than an hour: nothing was done
    int days_ahead = 0;          ///< of both tables the lesser; -1: today has no partition
    int partitions_added = 0;
    int partitions_dropped = 0;
    int partitions_held = 0;  ///< past `keep`, but with rows that are unfinished or have an open DLQ entry;
                              ///< looked at once a day, when a promise has become old enough
    bool announced = false;   ///< dropped_before was moved
    std::int64_t undated_deleted = 0;
    std::int64_t undated_forgotten = 0;  ///< keys of those, past `keep_undated`
    std::int64_t selftests_deleted = 0;
    std::int64_t dead_letters_cleared = 0;  ///< closed entries past `keep` that had headers or a body
    std::int64_t dead_letters_deleted = 0;  ///< past `keep_closed`
    std::int64_t actions_deleted = 0;
    std::int64_t erasures_deleted = 0;  ///< records of them
};

/// One round of the inbox's retention, on its own connection with a long read time-out
/// (`maintenance_patience`): partitions a week ahead, the promise of what goes, the drop of what was promised
/// a day ago, undated rows and those of the self-test past `keep`, what lies in closed entries past `keep`,
/// and closed entries and what operators did past `keep_closed`, in chunks of a thousand; of the record of
/// callbacks partitions a week ahead where there is one, and the drop of those past its own `keep`. Under the
/// named lock of this database, so that any number of consumers may call it; hourly is enough. A metadata
/// lock that is not had in two seconds fails the round with 1205: the next one goes on. Safe to be killed
/// anywhere; a server that is killed is another matter (docs/decisions/0018). Nothing is done by a clock that
/// differs from the server's by more than an hour: a promise made in a wrong year would quarantine every
/// event. Keys of undated rows that go are remembered for `keep_undated`, where that is longer than `keep`.
[[nodiscard]] Result<MaintenanceReport> maintain(Connection& connection,
                                                 const config::InboxSettings& settings,
                                                 const config::CallbackSettings& of_callbacks, WallTime now);

/// The first part of such a round alone: how many partitions were added to both tables. For fresh tables, so
/// that no consumer's first minute changes them. Does nothing and returns 0 where `maintain` would not act.
[[nodiscard]] Result<int> make_partitions(Connection& connection, std::chrono::days keep, WallTime now);

[[nodiscard]] Patience maintenance_patience();

}  // namespace sluice::store
