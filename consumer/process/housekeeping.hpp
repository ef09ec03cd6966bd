#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/process/config.hpp"

namespace sluice::consumer {

/// A thread beside the path: the inbox's retention, stale applied offsets and old hours of source_traffic
/// every hour (under a named lock, any number of processes may try).
class Housekeeping {
public:
    /// All outlive the object.
    Housekeeping(const Config& config, Log& log, Metrics& metrics, const Clock& clock);
    ~Housekeeping();  ///< waits for what is under way

private:
    void run(const std::stop_token& stop);
    void tend_inbox();

    const Config& config_;
    Log& log_;
    const Clock& clock_;
    Gauge& days_ahead_;
    Counter& failures_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace sluice::consumer
