#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "common/clock.hpp"
#include "common/telemetry/label_set.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/record/record.hpp"
#include "consumer/telemetry/disposition.hpp"
#include "consumer/telemetry/event_spans.hpp"

namespace sluice::consumer {

/// The one place where the consumer says what it decided. Thread-safe; its arguments outlive it.
class Decisions {
public:
    Decisions(Log& log, Metrics& metrics, EventSpans& spans);

    /// `reason`: a sentence, with data of the event only where a rule of an effect quotes it; empty when
    /// there is nothing to say.
    void say(Disposition disposition, const Item& item, std::string_view error_class = {},
             std::string_view reason = {});
    /// A decision of which nothing more is to be said.
    struct Routine {
        Disposition disposition;
        const Item* item;
    };
    /// As `say` for each, in order, with one look at the counters for neighbours that count alike.
    void say_all(std::span<const Routine> decisions);
    /// Received to committed, for webhook_lag_seconds; and, of events that say when they occurred, from then
    /// on, for webhook_delay_seconds.
    void committed(const Item& item, WallTime now);

    void batch(std::size_t events, double seconds);
    void batch_rolled_back(std::string_view why);
    /// What became of a wakeup: produced, resent (an effect is missing here), stale (of an older generation).
    void wakeup(std::string_view what);
    /// An attempt in a lane that did not succeed: deferred, retry, or the class of the death.
    void attempt_failed(std::string_view how);
    /// An event that the inbox knew already, by the status of its row.
    void duplicate_of(std::string_view status);
    /// An entry of this class was opened: an operator decides. `say` does it for what dies.
    void given_up(std::string_view error_class);
    void dead_letter_failed(const Item& item, std::string_view reason);
    /// MySQL refuses what a visit writes into this object's lane: the sweeper comes back to it.
    void lane_left(std::string_view object_key, std::string_view reason);

    [[nodiscard]] Log& log() noexcept { return log_; }
    [[nodiscard]] EventSpans& spans() noexcept { return spans_; }

private:
    void tell(Disposition disposition, const Item& item, std::string_view error_class,
              std::string_view reason);
    Counter& processed(const Item& item, Disposition disposition);
    Histogram& delay(const std::string& provider);
    void lacking(std::string_view error_class, double events);
    void count(const std::string& name, const std::string& help, const std::string& label,
               std::string_view value);

    Log& log_;
    Metrics& metrics_;
    EventSpans& spans_;
    LabelSet types_{200};
    Histogram& lag_;
    Histogram& batch_events_;
    Histogram& batch_seconds_;
    Counter& dlq_failures_;
    Counter& lanes_left_;
    std::map<std::string_view, Counter*> dead_letters_;  // by class; complete from the start
    std::mutex mutex_;
    std::map<std::tuple<std::string, std::string, Disposition>, Counter*, std::less<>> counters_;
    std::map<std::string, Counter*, std::less<>> rollbacks_;
    std::map<std::string, Histogram*> delays_;  // by provider
};

}  // namespace sluice::consumer
