#include "poller/telemetry/walk_metrics.hpp"

namespace sluice::poller {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::string_view answered_word = "ok";
constexpr std::array<std::string_view, 4> results_of_events{"published", "known", "quarantined", "filtered"};

Counter& requests(Metrics& metrics, const std::string& source, std::string_view result) {
    return metrics.counter("sluice_poller_requests_total", "Requests to a provider's list of events",
                           {{"source", source}, {"result", std::string{result}}});
}

Counter& events_of(Metrics& metrics, const std::string& source, std::string_view result) {
    return metrics.counter("sluice_poller_events_total", "Events read from a provider's list",
                           {{"source", source}, {"result", std::string{result}}});
}

}  // namespace

WalkMetrics::WalkMetrics(Metrics& metrics, const PollSettings& poll)
    : metrics_{metrics},
      source_{poll.source->name},
      moves_{metrics.counter("sluice_poller_moves_total", "Moves of a checkpoint", {{"source", source_}})},
      complete_{metrics.gauge("sluice_poller_complete_seconds",
                              "Age of the time up to which all of a source's events are in Kafka",
                              {{"source", source_}})},
      leading_{metrics.gauge("sluice_poller_leading", "1 while this process walks the source's list",
                             {{"source", source_}})},
      in_trouble_{metrics.gauge("sluice_poller_in_trouble",
                                "1 while requests of the source fail after all retries",
                                {{"source", source_}})},
      halted_{metrics.gauge("sluice_poller_halted", "1 while the walk stands before what no retry mends",
                            {{"source", source_}})},
      gap_{metrics.gauge("sluice_poller_gap_seconds", "Length of the time in which events may be missing",
                         {{"source", source_}})} {
    metrics
        .gauge("sluice_poller_complete_usual_seconds",
               "How high sluice_poller_complete_seconds gets while nothing is wrong: overlap and interval",
               {{"source", source_}})
        .Set(Seconds{poll.overlap + poll.interval}.count());
    metrics
        .gauge("sluice_poller_interval_seconds", "How long the walk rests between two rounds",
               {{"source", source_}, {"provider", poll.source->provider}})
        .Set(Seconds{poll.interval}.count());
    (void)requests(metrics_, source_, answered_word);
    for (const Fault fault : all_faults) (void)requests(metrics_, source_, name_of(fault));
    for (const auto result : results_of_events) (void)events_of(metrics_, source_, result);
}

void WalkMetrics::answered() {
    requests(metrics_, source_, answered_word).Increment();
}

void WalkMetrics::failed(Fault fault) {
    requests(metrics_, source_, name_of(fault)).Increment();
}

void WalkMetrics::events(std::string_view result, std::size_t number) {
    if (number > 0) events_of(metrics_, source_, result).Increment(static_cast<double>(number));
}

void WalkMetrics::aged(WallTime now) {
    complete_.Set(Seconds{now - complete_until_}.count());
}

void WalkMetrics::stands_by() {
    for (Gauge* gauge : {&leading_, &complete_, &in_trouble_, &halted_, &gap_}) gauge->Set(0);
}

void WalkMetrics::gap(std::chrono::microseconds length) {
    gap_.Set(Seconds{length}.count());
}

Gauge& budget_left(Metrics& metrics, const std::string& account) {
    return metrics.gauge("sluice_poller_budget_left", "Requests that an account's budget lets leave at once",
                         {{"account", account}});
}

}  // namespace sluice::poller
