#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/retry_role/arrival_rate.hpp"

namespace sluice::consumer {

/// What an autoscaler of the main role is told, by each process of the retry role alike: how many events a
/// second come into the topic of `kafka`, and how many pods these want. Both gauges are 0 until that has been
/// measured for half a minute, and while Kafka does not answer.
class ArrivalGauges {
public:
    /// `pod_rate`: events per second that one pod is to apply. `client` is used for questions only. All
    /// outlive the object.
    ArrivalGauges(rd_kafka_t& client, const config::KafkaSettings& kafka, int pod_rate, Metrics& metrics);

    /// Asks for the end of each partition. Blocks for seconds at most.
    void look(SteadyTime now);

private:
    void show(std::optional<double> rate, int partitions);

    rd_kafka_t& client_;
    const config::KafkaSettings& kafka_;
    const int pod_rate_;
    Gauge& rate_gauge_;
    Gauge& pods_gauge_;
    ArrivalRate rate_;
};

/// A thread that looks every ten seconds.
class ArrivalWatch {
public:
    ArrivalWatch(ArrivalGauges gauges, const Clock& clock);
    ~ArrivalWatch();  ///< waits for what is under way

private:
    void run(const std::stop_token& stop);

    ArrivalGauges gauges_;
    const Clock& clock_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
