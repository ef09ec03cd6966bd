#include "tests/bench/floor/producer.hpp"

#include <array>
#include <bit>
#include <initializer_list>
#include <stdexcept>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

namespace sluice::bench {
namespace {

constexpr int metadata_within = 10'000;  // milliseconds

void set(rd_kafka_conf_t& conf, const char* name, const std::string& value) {
    std::array<char, 256> reason{};
    if (rd_kafka_conf_set(&conf, name, value.c_str(), reason.data(), reason.size()) != RD_KAFKA_CONF_OK)
        throw std::runtime_error{reason.data()};
}

}  // namespace

Producer::Producer(const std::string& brokers, const std::string& topic, Form form, Done done)
    : form_{form}, done_{std::move(done)}, wake_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {
    make_client(brokers);
    topic_.reset(rd_kafka_topic_new(client_.get(), topic.c_str(), nullptr));
    reports_.reset(rd_kafka_queue_get_main(client_.get()));
    const std::uint64_t one = 1;
    rd_kafka_queue_io_event_enable(reports_.get(), wake_.get(), &one, sizeof one);
    learn_partitions();
}

Producer::~Producer() {
    reports_.reset();
    topic_.reset();
}

void Producer::make_client(const std::string& brokers) {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    const std::initializer_list<std::pair<const char*, std::string>> settings{
        {"bootstrap.servers", brokers}, {"acks", "all"},
        {"enable.idempotence", "true"}, {"linger.ms", "0"},
        {"batch.size", "1000000"},      {"socket.nagle.disable", "true"}};
    for (const auto& [name, value] : settings) set(*conf, name, value);
    rd_kafka_conf_set_opaque(conf, this);
    rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t* message, void* self) {
        static_cast<Producer*>(self)->reported(*message);
    });
    std::array<char, 256> reason{};
    client_.reset(rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size()));
    if (!client_) throw std::runtime_error{reason.data()};
}

void Producer::learn_partitions() {
    const rd_kafka_metadata_t* known = nullptr;
    if (rd_kafka_metadata(client_.get(), 0, topic_.get(), &known, metadata_within) !=
        RD_KAFKA_RESP_ERR_NO_ERROR)
        throw std::runtime_error{"no metadata from Kafka"};
    partitions_.resize(static_cast<std::size_t>(known->topics[0].partition_cnt));
    rd_kafka_metadata_destroy(known);
    if (partitions_.empty()) throw std::runtime_error{"the topic is not there"};
}

void Producer::produce(std::string_view key, std::string_view value, std::uint64_t ticket) {
    const std::int32_t number =
        rd_kafka_msg_partitioner_murmur2(topic_.get(), key.data(), key.size(),
                                         static_cast<std::int32_t>(partitions_.size()), nullptr, nullptr);
    Partition& partition = partitions_[static_cast<std::size_t>(number)];
    if (form_ == Form::gathering && partition.outstanding > 0) {
        partition.gathered.emplace_back(std::string{key}, std::string{value}, ticket);
        return;
    }
    hand_over(number, key, value, ticket);
    ++partition.outstanding;
}

void Producer::hand_over(std::int32_t partition, std::string_view key, std::string_view value,
                         std::uint64_t ticket) {
    if (rd_kafka_produce(topic_.get(), partition, RD_KAFKA_MSG_F_COPY, const_cast<char*>(value.data()),
                         value.size(), key.data(), key.size(), std::bit_cast<void*>(ticket)) != 0)
        throw std::runtime_error{"librdkafka refuses a record"};
}

void Producer::serve() {
    std::uint64_t wakes = 0;
    static_cast<void>(read(wake_.get(), &wakes, sizeof wakes));
    rd_kafka_poll(client_.get(), 0);
}

void Producer::reported(const rd_kafka_message_t& message) {
    const bool stored = message.err == RD_KAFKA_RESP_ERR_NO_ERROR &&
                        rd_kafka_message_status(&message) == RD_KAFKA_MSG_STATUS_PERSISTED;
    done_(std::bit_cast<std::uint64_t>(message._private), stored);
    Partition& partition = partitions_[static_cast<std::size_t>(message.partition)];
    if (--partition.outstanding > 0) return;
    partition.outstanding = partition.gathered.size();
    for (const Record& record : std::exchange(partition.gathered, {}))
        hand_over(message.partition, record.key, record.value, record.ticket);
}

}  // namespace sluice::bench
