#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/kafka/topic_facts.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/program.hpp"

namespace sluice::publish {

/// What the broker says of the topics that are written to.
struct Topics {
    kafka::TopicFacts events;
    kafka::TopicFacts quarantine;
    std::optional<kafka::TopicFacts> originals;  ///< where some source needs it
};

/// librdkafka's side of what happens to a producer. All but `log` are called inside the poll, by the thread
/// that polls.
class ProducerEvents {
public:
    virtual ~ProducerEvents() = default;
    virtual void reported(const rd_kafka_message_t& message) noexcept = 0;
    virtual void failed_fatally(std::string why) noexcept = 0;
    virtual Log& log() noexcept = 0;
};

/// A producer with the settings that the protocol fixes: acks from all in-sync replicas, idempotence,
/// no lingering, batches inside all topics' limits, an end to every record after 30 s, bounded memory.
struct ProducerClient {
    kafka::Topic events;
    kafka::Topic quarantine;
    kafka::Topic originals;  ///< null where no source needs it
    kafka::Client client;    // last, so that it outlives its topics

    ~ProducerClient();
};

inline constexpr std::size_t most_queued_bytes = std::size_t{64} * 1024 * 1024;

/// Most bytes of a batch to topics with these limits.
[[nodiscard]] std::size_t batch_bytes(const Topics& topics) noexcept;

/// Throws config::Refused for settings that librdkafka refuses.
[[nodiscard]] std::unique_ptr<ProducerClient> make_producer(const config::KafkaSettings& settings,
                                                            const Program& program, const Topics& topics,
                                                            ProducerEvents& events);

/// Fetches the metadata of its topics, so that the first record need not wait for it. Blocking.
[[nodiscard]] bool warm_up(ProducerClient& producer, std::chrono::milliseconds within);

}  // namespace sluice::publish
