#include "consumer/retry_role/arrival_watch.hpp"

#include "common/kafka/error.hpp"
#include "common/kafka/leaders.hpp"
#include "common/thread_name.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds between_looks{10};
constexpr Milliseconds answer_within{3000};

// A partition without a leader is left out.
Result<TopicEnds> ends_of(rd_kafka_t& client, const std::string& topic) {
    const auto leaders = kafka::read_leaders(client, topic, answer_within);
    if (!leaders) return Failure{leaders.error()};
    TopicEnds ends;
    for (const auto& [partition, leader] : *leaders) {
        std::int64_t start = 0;
        std::int64_t end = 0;
        const auto code = rd_kafka_query_watermark_offsets(&client, topic.c_str(), partition, &start, &end,
                                                           static_cast<int>(answer_within.count()));
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return Failure{kafka::make_error(code)};
        ++ends.partitions;
        ends.sum += end;
    }
    return ends;
}

}  // namespace

ArrivalGauges::ArrivalGauges(rd_kafka_t& client, const config::KafkaSettings& kafka, int pod_rate,
                             Metrics& metrics)
    : client_{client},
      kafka_{kafka},
      pod_rate_{pod_rate},
      rate_gauge_{metrics.gauge("sluice_consumer_arriving_events_per_second",
                                "Events per second that come into the topic, over two minutes")},
      pods_gauge_{metrics.gauge("sluice_consumer_pods_wanted",
                                "Pods of the main role that this rate wants; 0 while it is not known")} {}

void ArrivalGauges::look(SteadyTime now) {
    const auto ends = ends_of(client_, kafka_.topic);
    if (!ends) return show(std::nullopt, 1);
    rate_.saw(now, *ends);
    show(rate_.per_second(), kafka_.partitions > 0 ? kafka_.partitions : ends->partitions);
}

void ArrivalGauges::show(std::optional<double> rate, int partitions) {
    rate_gauge_.Set(rate.value_or(0));
    pods_gauge_.Set(rate ? pods_for(*rate, pod_rate_, partitions) : 0);
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
