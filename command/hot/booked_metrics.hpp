#pragma once

#include <map>
#include <string>

#include "command/config/command_set.hpp"
#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::command {

/// The series of those who book. Thread-safe.
class BookedMetrics {
public:
    /// `metrics` outlives it.
    BookedMetrics(Metrics& metrics, const CommandSet& set);

    /// `result`: executed, replayed, mismatch or not_booked.
    void booked(const std::string& command, const std::string& result) { of(command, result).Increment(); }
    void unreadable() { unreadable_.Increment(); }
    void lost() { lost_.Increment(); }
    void batch(std::size_t commands) { batches_.Observe(static_cast<double>(commands)); }
    /// How long ago the oldest was accepted that is not booked.
    void age(double seconds) { age_.Set(seconds); }
    /// For how long each command should have been booked that stands in front of a partition, after its
    /// `delay`.
    void overdue(const std::map<std::string, WallTime>& due, WallTime now);
    /// Of the topic, that are this process's.
    void partitions(std::size_t count) { partitions_.Set(static_cast<double>(count)); }

private:
    Counter& of(const std::string& command, const std::string& result);
    Gauge& overdue_of(const std::string& command);

    Metrics& metrics_;
    Counter& unreadable_;
    Counter& lost_;
    Histogram& batches_;
    Gauge& age_;
    Gauge& partitions_;
    std::map<std::string, Gauge*> overdue_;  // by command
};

}  // namespace sluice::command
