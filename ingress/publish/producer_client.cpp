#include "ingress/publish/producer_client.hpp"

#include <algorithm>
#include <array>

#include "common/kafka/client_config.hpp"
#include "ingress/publish/publisher.hpp"

namespace sluice::publish {
namespace {

constexpr std::int64_t largest_batch = 1'000'000;
constexpr std::int64_t smallest_batch = 1024;
constexpr std::int64_t cautious_batch = 32'768;  // where the broker does not tell how large it may be

ProducerEvents& events_of(void* opaque) {
    return *static_cast<ProducerEvents*>(opaque);
}

Log& log_of(void* opaque) {
    return events_of(opaque).log();
}

// The callbacks run inside rd_kafka_poll: must not throw.
void on_report(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    events_of(opaque).reported(*message);
}

/// librdkafka logs none of what it reports here.
void log_refused_login(Log& log, std::string_view reason) noexcept {
    try {
        log.error("librdkafka", {{"facility", "AUTH"}, {"message", reason}});
    } catch (...) {
        // A line that cannot be allocated is a line lost.
    }
}

void on_error(rd_kafka_t* client, int code, const char* text, void* opaque) {
    if (code == RD_KAFKA_RESP_ERR__AUTHENTICATION) log_refused_login(log_of(opaque), text);
    if (code != RD_KAFKA_RESP_ERR__FATAL) return;
    std::array<char, 512> reason{};
    rd_kafka_fatal_error(client, reason.data(), reason.size());
    events_of(opaque).failed_fatally(reason.data());
}

std::array<std::int64_t, topic_count> limits_of(const Topics& topics) {
    const std::int64_t events = topics.events.max_message_bytes;
    return {events, topics.quarantine.max_message_bytes,
            topics.originals ? topics.originals->max_message_bytes : events};
}

void set_protocol(rd_kafka_conf_t& conf, const Topics& topics) {
    const std::int64_t largest = std::ranges::max(limits_of(topics));
    kafka::set(conf, "acks", "all");
    kafka::set(conf, "enable.idempotence", "true");
    kafka::set(conf, "linger.ms", "0");
    kafka::set(conf, "message.timeout.ms", "30000");
    kafka::set(conf, "batch.size", std::to_string(batch_bytes(topics)));
    kafka::set(conf, "message.max.bytes", std::to_string(std::max(largest, smallest_batch)));
    kafka::set(conf, "queue.buffering.max.kbytes", std::to_string(most_queued_bytes / 1024));
    kafka::set(conf, "allow.auto.create.topics", "false");
    kafka::set(conf, "socket.nagle.disable", "true");
}

kafka::Topic topic_of(rd_kafka_t& client, const std::string& name) {
    kafka::Topic topic{rd_kafka_topic_new(&client, name.c_str(), nullptr)};
    if (!topic) throw config::Refused{"kafka: librdkafka refuses the topic name " + name};
    return topic;
}

}  // namespace

ProducerClient::~ProducerClient() {
    // A topic handle must be gone before its client.
    events.reset();
    quarantine.reset();
    originals.reset();
}

std::size_t batch_bytes(const Topics& topics) noexcept {
    const bool is_hidden = topics.events.hides("max.message.bytes") ||
                           topics.quarantine.hides("max.message.bytes") ||
                           (topics.originals && topics.originals->hides("max.message.bytes"));
    return static_cast<std::size_t>(std::clamp(std::ranges::min(limits_of(topics)), smallest_batch,
                                               is_hidden ? cautious_batch : largest_batch));
}

std::unique_ptr<ProducerClient> make_producer(const config::KafkaSettings& settings, const Program& program,
                                              const Topics& topics, ProducerEvents& events) {
    kafka::Conf conf = kafka::client_config(settings, std::string{program.name});
    set_protocol(*conf, topics);
    rd_kafka_conf_set_opaque(conf.get(), &events);
    rd_kafka_conf_set_dr_msg_cb(conf.get(), on_report);
    rd_kafka_conf_set_error_cb(conf.get(), on_error);
    kafka::send_logs_to(*conf, log_of);
    auto client = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings);
    if (!client) throw config::Refused{"kafka: " + client.error()};
    auto producer = std::make_unique<ProducerClient>();
    producer->client = std::move(*client);
    producer->events = topic_of(*producer->client, settings.topic);
    producer->quarantine = topic_of(*producer->client, settings.quarantine_topic);
    if (topics.originals) producer->originals = topic_of(*producer->client, settings.originals_topic);
    return producer;
}

bool warm_up(ProducerClient& producer, std::chrono::milliseconds within) {
    for (rd_kafka_topic_t* topic :
         {producer.events.get(), producer.quarantine.get(), producer.originals.get()}) {
        if (topic == nullptr) continue;
        const rd_kafka_metadata_t* got = nullptr;
        const auto error =
            rd_kafka_metadata(producer.client.get(), 0, topic, &got, static_cast<int>(within.count()));
        const kafka::Metadata metadata{got};
        if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
    }
    return true;
}

}  // namespace sluice::publish
