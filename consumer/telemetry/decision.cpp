#include "consumer/telemetry/decision.hpp"

#include <algorithm>

namespace sluice::consumer {

namespace {

/// As the ingress logs it, so that one search finds the lines of both.
std::string_view trace_id_of(const Item& item) {
    return trace::name_in(traceparent_of(item)).trace_id;
}

bool count_alike(const Decisions::Routine& one, const Decisions::Routine& other) {
    return one.disposition == other.disposition && one.item->decoded == other.item->decoded &&
           one.item->event.provider == other.item->event.provider &&
           one.item->event.type == other.item->event.type;
}

// Any class name added later is "other": an alarm needs its counter before the first one.
constexpr const char* other_class = "other";
constexpr auto lacking_classes = std::to_array<const char*>({"source_unknown", "effect_gone"});
constexpr auto classes = std::to_array<const char*>(
    {"park", "data", "deferred", "exhausted", "unknown", "effect_gone", "undecodable", "unreadable",
     "conflict", "too_old", "set_apart", "source_unknown", "keys_changed", other_class});

}  // namespace

Decisions::Decisions(Log& log, Metrics& metrics, EventSpans& spans)
    : log_{log},
      metrics_{metrics},
      spans_{spans},
      lag_{metrics.histogram("webhook_lag_seconds", "Time from receipt at the ingress to commit in MySQL",
                             lag_seconds_bounds())},
      batch_events_{metrics.histogram("sluice_consumer_batch_events", "Events per committed transaction",
                                      {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000})},
      batch_seconds_{metrics.histogram("sluice_consumer_transaction_seconds",
                                       "Time from BEGIN to the answer to COMMIT", request_seconds_bounds())},
      dlq_failures_{metrics.counter("sluice_consumer_dlq_failures_total",
                                    "DLQ records that the broker did not acknowledge; each is sent again")},
      lanes_left_{metrics.counter("sluice_consumer_lanes_left_total",
                                  "Visits to lanes that ended because MySQL refused the same thing three "
                                  "times; the sweeper comes back")} {
    for (const char* error_class : classes)
        dead_letters_.emplace(error_class, &metrics.counter("sluice_consumer_dead_letters_total",
                                                            "Entries opened for an operator, by class",
                                                            {{"class", error_class}}));
    for (const char* error_class : lacking_classes) lacking(error_class, 0);
}

void Decisions::say(Disposition disposition, const Item& item, std::string_view error_class,
                    std::string_view reason) {
    processed(item, disposition).Increment();
    if (disposition == Disposition::dead) given_up(error_class);
    if (disposition == Disposition::lacking && !error_class.empty()) lacking(error_class, 1);
    tell(disposition, item, error_class, reason);
}

void Decisions::say_all(std::span<const Routine> decisions) {
    while (!decisions.empty()) {
        const Routine& first = decisions.front();
        const auto other = std::ranges::find_if_not(
            decisions, [&first](const Routine& one) { return count_alike(one, first); });
        const auto alike = decisions.first(static_cast<std::size_t>(other - decisions.begin()));
        processed(*first.item, first.disposition).Increment(static_cast<double>(alike.size()));
        for (const Routine& one : alike) tell(one.disposition, *one.item, {}, {});
        decisions = decisions.subspan(alike.size());
    }
}

void Decisions::tell(Disposition disposition, const Item& item, std::string_view error_class,
                     std::string_view reason) {
    spans_.tried(disposition, item, {error_class, reason});
    const bool routine = disposition == Disposition::done || disposition == Disposition::ignored ||
                         disposition == Disposition::duplicate;
    const std::string_view trace = trace_id_of(item);
    const std::initializer_list<LogField> fields = {
        {"source", item.event.source},
        {"event", item.event.event_id},
        {"type", item.event.type},
        {"key", item.record.key},
        {"partition", std::int64_t{item.record.at.partition}},
        {"offset", item.record.at.offset},
        {"attempts", std::int64_t{item.failures.attempts}},
        {"error_class", error_class},
        {"reason", reason},
        {"trace", trace},
    };
    if (routine) {
        log_.write_event(name_of(disposition), trace, fields);
    } else if (disposition == Disposition::dead) {
        log_.error(name_of(disposition), fields);
    } else {
        log_.warn(name_of(disposition), fields);
    }
}

void Decisions::committed(const Item& item, WallTime now) {
    if (item.event.received_at == WallTime{}) return;
    using Seconds = std::chrono::duration<double>;
    lag_.Observe(Seconds{now - item.event.received_at}.count());
    if (!item.event.occurred_at) return;
    // A provider's clock may be ahead of ours.
    delay(item.event.provider).Observe(std::max(Seconds{now - *item.event.occurred_at}.count(), 0.0));
}

void Decisions::batch(std::size_t events, double seconds) {
    batch_events_.Observe(static_cast<double>(events));
    batch_seconds_.Observe(seconds);
}

void Decisions::batch_rolled_back(std::string_view why) {
    const std::lock_guard lock{mutex_};
    auto at = rollbacks_.find(why);
    if (at == rollbacks_.end()) {
        Counter& counter =
            metrics_.counter("sluice_consumer_rollbacks_total", "Transactions rolled back, by reason",
                             {{"why", std::string{why}}});
        at = rollbacks_.emplace(why, &counter).first;
    }
    at->second->Increment();
}

void Decisions::wakeup(std::string_view what) {
    count("sluice_consumer_wakeups_total", "Wakeups, by what was done with them", "what", what);
}

void Decisions::attempt_failed(std::string_view how) {
    count("sluice_consumer_failed_attempts_total", "Attempts in lanes that did not succeed, by their result",
          "how", how);
}

void Decisions::duplicate_of(std::string_view status) {
    count("sluice_consumer_duplicates_total",
          "Duplicates among the events that ran alone, by the status of their inbox row", "status", status);
}

void Decisions::count(const std::string& name, const std::string& help, const std::string& label,
                      std::string_view value) {
    metrics_.counter(name, help, {{label, std::string{value}}}).Increment();
}

void Decisions::lacking(std::string_view error_class, double events) {
    metrics_
        .counter("sluice_consumer_lacking_total",
                 "Events that could not be tried because the configuration lacks their source or effect, by "
                 "what is missing",
                 {{"class", std::string{error_class}}})
        .Increment(events);
}

void Decisions::given_up(std::string_view error_class) {
    const auto known = dead_letters_.find(error_class);
    (known == dead_letters_.end() ? dead_letters_.at(other_class) : known->second)->Increment();
}

void Decisions::dead_letter_failed(const Item& item, std::string_view reason) {
    dlq_failures_.Increment();
    log_.error("dead_letter_not_acknowledged", {{"event", item.event.event_id}, {"reason", reason}});
}

void Decisions::lane_left(std::string_view object_key, std::string_view reason) {
    lanes_left_.Increment();
    log_.error("lane_left", {{"key", object_key}, {"reason", reason}});
}

Histogram& Decisions::delay(const std::string& provider) {
    const std::lock_guard lock{mutex_};
    Histogram*& known = delays_[provider];
    if (known == nullptr)
        known = &metrics_.histogram("webhook_delay_seconds",
                                    "Time from an event's creation at the provider to commit in MySQL",
                                    lag_seconds_bounds(), {{"provider", provider}});
    return *known;
}

Counter& Decisions::processed(const Item& item, Disposition disposition) {
    const std::string_view provider = item.decoded ? std::string_view{item.event.provider} : "unknown";
    const std::string_view type = item.decoded ? types_.admit(item.event.type) : "other";
    const std::lock_guard lock{mutex_};
    const auto known = counters_.find(std::tuple{provider, type, disposition});
    if (known != counters_.end()) return *known->second;
    Counter& counter = metrics_.counter("webhook_processed_total", "Events, by disposition",
                                        {{"provider", std::string{provider}},
                                         {"type", std::string{type}},
                                         {"result", std::string{name_of(disposition)}}});
    counters_.emplace(std::tuple{std::string{provider}, std::string{type}, disposition}, &counter);
    return counter;
}

}  // namespace sluice::consumer
