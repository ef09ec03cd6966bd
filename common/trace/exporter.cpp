#include "common/trace/exporter.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/crypto/random.hpp"
#include "common/thread_name.hpp"
#include "common/version.hpp"

namespace sluice::trace {
namespace {

constexpr std::size_t instance_bytes = 8;

Counter& dropped(Metrics& metrics, const char* reason) {
    return metrics.counter("sluice_trace_dropped_total", "Spans that no collector received, by reason",
                           {{"reason", reason}});
}

}  // namespace

class Exporter::Worker {
public:
    Worker(Settings settings, std::unique_ptr<Collector> collector, Log& log, Metrics& metrics)
        : settings_{std::move(settings)},
          collector_{std::move(collector)},
          log_{log},
          exported_{metrics.counter("sluice_trace_exported_total", "Spans that the collector accepted")},
          failures_{metrics.counter("sluice_trace_export_failures_total",
                                    "Requests that the collector did not accept")},
          full_{dropped(metrics, "queue_full")},
          refused_{dropped(metrics, "refused")},
          shutdown_{dropped(metrics, "shutdown")},
          instance_{crypto::random_hex(instance_bytes)},
          queue_{settings_.bounds},
          thread_{[this](const std::stop_token& stop) { run(stop); }} {}

    ~Worker() {
        collector_->hurry(settings_.last_wait);
        thread_.request_stop();
    }

    void tell(const Span& span) {
        thread_local std::string json;
        json.clear();
        append_otlp_span(json, span);
        const std::lock_guard lock{mutex_};
        const bool was_calm = !queue_.is_half_full();
        const bool was_empty = queue_.empty();
        if (!queue_.offer(json)) return full_.Increment();
        if (was_empty || (was_calm && queue_.is_half_full())) wake_.notify_one();
    }

private:
    void run(const std::stop_token& stop) {
        name_this_thread("trace");
        while (true) {
            const SpanQueue::Batch batch = next_batch(stop);
            if (batch.count == 0) return;
            deliver(batch, stop);
        }
    }

    /// Empty: it is over.
    SpanQueue::Batch next_batch(const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        wake_.wait(lock, stop, [this] { return !queue_.empty(); });
        wake_.wait_for(lock, stop, settings_.gather, [this] { return queue_.is_half_full(); });
        return queue_.take();
    }

    void deliver(const SpanQueue::Batch& batch, const std::stop_token& stop) {
        const std::string body = otlp_request({settings_.service, version, instance_}, batch.spans);
        for (Milliseconds pause = settings_.first_pause;;
             pause = std::min(2 * pause, settings_.longest_pause)) {
            const Sent sent = collector_->send(body, settings_.send_within);
            if (sent.kind == Sent::Kind::taken) return taken(batch.count);
            failed(sent.reason);
            if (sent.kind == Sent::Kind::refused) return lost(refused_, batch.count);
            if (!waited(pause, stop)) return lost(shutdown_, batch.count);
        }
    }

    [[nodiscard]] bool waited(Milliseconds pause, const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, pause, [] { return false; });
        return !stop.stop_requested();
    }

    void taken(std::size_t spans) {
        exported_.Increment(static_cast<double>(spans));
        if (!std::exchange(failing_, false)) return;
        log_.info("trace_export_restored", {{"endpoint", std::string_view{settings_.endpoint}}});
    }

    void failed(std::string_view reason) {
        failures_.Increment();
        if (std::exchange(failing_, true)) return;
        log_.warn("trace_export_failed",
                  {{"endpoint", std::string_view{settings_.endpoint}}, {"reason", reason}});
    }

    static void lost(Counter& counter, std::size_t spans) { counter.Increment(static_cast<double>(spans)); }

    const Settings settings_;
    const std::unique_ptr<Collector> collector_;
    Log& log_;
    Counter& exported_;
    Counter& failures_;
    Counter& full_;
    Counter& refused_;
    Counter& shutdown_;
    const std::string instance_;
    bool failing_ = false;  // used by the thread only
    std::mutex mutex_;
    std::condition_variable_any wake_;
    SpanQueue queue_;
    std::jthread thread_;  // last: starts when all else is there
};

Exporter::Exporter(Settings settings, std::unique_ptr<Collector> collector, Log& log, Metrics& metrics)
    : worker_{std::make_unique<Worker>(std::move(settings), std::move(collector), log, metrics)} {}

Exporter::~Exporter() = default;

void Exporter::tell(const Span& span) {
    worker_->tell(span);
}

}  // namespace sluice::trace
