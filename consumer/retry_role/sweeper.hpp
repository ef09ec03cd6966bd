#pragma once

#include <condition_variable>
#include <expected>
#include <mutex>
#include <string>
#include <thread>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/lane/run/owed_records.hpp"
#include "consumer/lane/run/visit.hpp"
#include "consumer/retry_role/lane_metrics.hpp"
#include "consumer/silence/silence_watch.hpp"
#include "consumer/store/lane/lane_sweep.hpp"

namespace sluice::consumer {

/// A thread beside the retry role that finds what no record will touch any more: wakeups that were lost, dead
/// letters whose DLQ record was not produced, lanes that were idle for long. Under a named lock, so that any
/// number of processes may try; each round on its own connection.
class Sweeper {
public:
    /// `keep_idle`: for so long a lane stays after its last trouble. All but that outlive the object.
    Sweeper(const config::MysqlSettings& mysql, const LaneContext& context, Milliseconds keep_idle, Log& log,
            Metrics& metrics);
    ~Sweeper();  ///< waits for what is under way

private:
    /// Or why a round ended before all was done.
    using Done = std::expected<void, std::string>;

    void run(const std::stop_token& stop);
    [[nodiscard]] Done round(const std::stop_token& stop);
    /// In every process. nullptr: MySQL is not reached.
    [[nodiscard]] Done tell_silence(store::Connection* connection);
    [[nodiscard]] Done sweep_alone(store::Connection& connection, const std::stop_token& stop);
    [[nodiscard]] Done sweep(store::Connection& connection, const std::stop_token& stop);
    /// Wakeups that should have come by now: produced again.
    [[nodiscard]] Done wake_overdue(store::Connection& connection, const std::stop_token& stop);
    /// Those that an older release put to rest behind a case that lets others pass.
    [[nodiscard]] Done wake_resting(store::Connection& connection, const std::stop_token& stop);
    [[nodiscard]] Done wake(store::Connection& connection, const store::OverdueLane& lane);
    /// DLQ records that are owed for long.
    [[nodiscard]] Done send_dead_letters(store::Connection& connection, const std::stop_token& stop);
    [[nodiscard]] Done send_owed(store::Connection& connection, const store::OwedDeadLetter& dead_letter);
    [[nodiscard]] Done purge(store::Connection& connection);

    const config::MysqlSettings& mysql_;
    LaneContext context_;
    Milliseconds keep_idle_;
    Log& log_;
    LaneVisit visit_;
    OwedRecords owed_records_;
    LaneMetrics metrics_of_lanes_;
    SilenceWatch silence_;
    Gauge& overdue_;
    Counter& reproduced_;
    Counter& purged_;
    Counter& failures_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
