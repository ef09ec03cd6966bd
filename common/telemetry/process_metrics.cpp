#include "common/telemetry/process_metrics.hpp"

#include "common/version.hpp"

namespace sluice {

void export_process(Metrics& metrics, const Log& log, const Readiness& readiness, const std::string& role) {
    metrics
        .gauge("sluice_build_info", "1, with the version and the role",
               {{"version", version}, {"role", role}})
        .Set(1);
    metrics.before_exposition([&metrics, &readiness] {
        for (const auto& [concern, is_ready] : readiness.concerns())
            metrics
                .gauge("sluice_ready",
                       "1 while this concern is ready, as /readyz says; 0 also while it is degraded",
                       {{"concern", concern}})
                .Set(is_ready ? 1 : 0);
    });
    Counter& dropped =
        metrics.counter("sluice_log_lines_dropped_total",
                        "Log lines that were lost because the queue was full or the output was broken");
    metrics.before_exposition([&log, &dropped] {
        const auto now = static_cast<double>(log.dropped());
        if (now > dropped.Value()) dropped.Increment(now - dropped.Value());
    });
}

}  // namespace sluice
