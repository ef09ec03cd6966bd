#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/retry_role/arrival_rate.hpp"

namespace sluice::consumer {

/// Tells an autoscaler of the main role how many events per second come into the topic of `kafka`, and how
/// many pods they need. Every process of the retry role says the same. The gauges do not exist until Kafka
/// has answered once, so that a missing right does not look like silence. They are 0 for the half minute of
/// the measurement, and keep their values while Kafka does not answer.
class ArrivalGauges {
public:
    /// `pod_rate`: events per second that one pod is to apply. `client` is used for questions only. All
    /// outlive the object.
    ArrivalGauges(rd_kafka_t& client, const config::KafkaSettings& kafka, int pod_rate, Log& log,
                  Metrics& metrics);

    /// Asks for the end of each partition. Blocks for seconds at most.
    void look(SteadyTime now);

private:
    void show(std::optional<double> rate, int partitions);
    void say_unknown(std::string reason);

    rd_kafka_t& client_;
    const config::KafkaSettings& kafka_;
    const int pod_rate_;
    Log& log_;
    Metrics& metrics_;
    std::string said_;  // why it is not known
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
