#include "consumer/retry_role/arrival_watch.hpp"

#include "common/thread_name.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds between_looks{10};
constexpr Milliseconds answer_within{3000};

}  // namespace

ArrivalGauges::ArrivalGauges(rd_kafka_t& client, const config::KafkaSettings& kafka, int pod_rate, Log& log,
                             Metrics& metrics)
    : client_{client}, kafka_{kafka}, pod_rate_{pod_rate}, log_{log}, metrics_{metrics} {}

void ArrivalGauges::look(SteadyTime now) {
    auto ends = read_topic_ends(client_, kafka_.topic, answer_within);
    if (!ends) return say_unknown(ends.error().message());
    said_.clear();
    const int partitions = kafka_.partitions > 0 ? kafka_.partitions : static_cast<int>(ends->size());
    rate_.saw(now, std::move(*ends));
    show(rate_.per_second(), partitions);
}

void ArrivalGauges::say_unknown(std::string reason) {
    if (reason == said_) return;
    log_.warn("arrivals_unknown", {{"topic", kafka_.topic}, {"reason", reason}});
    said_ = std::move(reason);
}

void ArrivalGauges::show(std::optional<double> rate, int partitions) {
    metrics_
        .gauge("sluice_consumer_arriving_events_per_second",
               "Events per second that come into the topic, over two minutes")
        .Set(rate.value_or(0));
    metrics_
        .gauge("sluice_consumer_pods_wanted",
               "Pods of the main role that this rate wants; 0 until it has been measured")
        .Set(rate ? pods_for(*rate, pod_rate_, partitions) : 0);
}

ArrivalWatch::ArrivalWatch(ArrivalGauges gauges, const Clock& clock)
    : gauges_{std::move(gauges)},
      clock_{clock},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

ArrivalWatch::~ArrivalWatch() = default;

void ArrivalWatch::run(const std::stop_token& stop) {
    name_this_thread("arrival-watch");
    while (!stop.stop_requested()) {
        gauges_.look(clock_.steady());
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks, [] { return false; });
    }
}

}  // namespace sluice::consumer
