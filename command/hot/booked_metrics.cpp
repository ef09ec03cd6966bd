#include "command/hot/booked_metrics.hpp"

#include <algorithm>

namespace sluice::command {
namespace {

const std::string others = "?";  // commands that have no hot accounts here: no name of the file
const std::vector<double> sizes{1, 2, 4, 8, 16, 32, 64, 128, 256};

}  // namespace

BookedMetrics::BookedMetrics(Metrics& metrics, const CommandSet& set)
    : metrics_{metrics},
      unreadable_{metrics.counter("sluice_command_hot_unreadable_total",
                                  "Records of the topic of commands that are none")},
      lost_{metrics.counter("sluice_command_hot_gaps_total",
                            "Times that commands were gone from Kafka before they were booked")},
      batches_{metrics.histogram("sluice_command_hot_batch_commands",
                                 "Commands of hot accounts that were booked one after the other", sizes)},
      age_{metrics.gauge("sluice_command_hot_queue_age_seconds",
                         "How long ago the oldest command was accepted that this process has to book")},
      partitions_{metrics.gauge("sluice_command_hot_partitions",
                                "Partitions of the topic of commands that this process books")} {
    for (const auto& one : set.all()) {
        if (!one->hot) continue;
        for (const auto* result : {"executed", "replayed", "mismatch", "not_booked"})
            (void)of(one->name, result);
        overdue_[one->name] = &overdue_of(one->name);
    }
    overdue_[others] = &overdue_of(others);
}

void BookedMetrics::overdue(const std::map<std::string, WallTime>& due, WallTime now) {
    std::map<std::string, double> longest;
    for (const auto& [command, at] : due) {
        const std::chrono::duration<double> late = now - at;
        double& seconds = longest[overdue_.contains(command) ? command : others];
        seconds = std::max(seconds, late.count());
    }
    for (const auto& [command, gauge] : overdue_) gauge->Set(longest[command]);
}

Gauge& BookedMetrics::overdue_of(const std::string& command) {
    return metrics_.gauge(
        "sluice_command_hot_overdue_seconds",
        "For how long the command in front of a partition should have been booked, after its delay",
        {{"command", command}});
}

Counter& BookedMetrics::of(const std::string& command, const std::string& result) {
    return metrics_.counter("sluice_command_hot_booked_total", "Commands of hot accounts that were booked",
                            {{"command", command}, {"result", result}});
}

}  // namespace sluice::command
