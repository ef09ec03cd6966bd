#pragma once

#include <memory>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/trace/collector.hpp"
#include "common/trace/otlp.hpp"
#include "common/trace/span_queue.hpp"

namespace sluice::trace {

/// Sends spans to the collector from a separate thread. A caller of `tell` waits only for the queue's lock:
/// while the collector is away, hanging or slow the queue fills, and from then on spans are dropped and
/// counted (sluice_trace_dropped_total). What the collector may accept later is sent again after 1, 2, 4 …
/// 30 s. A failure is logged when it begins ("trace_export_failed") and when it is over
/// ("trace_export_restored").
class Exporter {
public:
    struct Settings {
        std::string service{};
        std::string endpoint{};  ///< for the log
        SpanQueue::Bounds bounds{};
        Milliseconds gather{200};  ///< spans travel together
        Milliseconds send_within{5'000};
        Milliseconds first_pause{1'000};
        Milliseconds longest_pause{30'000};
        Milliseconds last_wait{1'000};  ///< in the destructor, for all that is queued
    };

    /// `log` and `metrics` outlive it.
    Exporter(Settings settings, std::unique_ptr<Collector> collector, Log& log, Metrics& metrics);
    ~Exporter();  ///< sends what is queued, waiting at most `last_wait`; the rest is dropped and counted
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;

    /// Any thread.
    void tell(const Span& span);

private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace sluice::trace
