#include "tests/bench/drain/worker.hpp"

#include <array>
#include <stdexcept>

namespace sluice::bench {
namespace {

constexpr int patience = 100;  // milliseconds

rd_kafka_conf_t* settings_of(const Topic& topic) {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    std::array<char, 256> reason{};
    for (const auto& [name, value] : {std::pair{"bootstrap.servers", topic.brokers.c_str()},
                                      {"group.id", "bench-drain"},
                                      {"enable.auto.commit", "false"},
                                      {"fetch.wait.max.ms", "20"}})
        if (rd_kafka_conf_set(conf, name, value, reason.data(), reason.size()) != RD_KAFKA_CONF_OK)
            throw std::runtime_error{reason.data()};
    return conf;
}

}  // namespace

Worker::Worker(const Topic& topic, const Database& database, Form form, std::size_t batch)
    : ledger_{database, form}, batch_{batch} {
    std::array<char, 256> reason{};
    client_.reset(rd_kafka_new(RD_KAFKA_CONSUMER, settings_of(topic), reason.data(), reason.size()));
    if (!client_) throw std::runtime_error{reason.data()};
    rd_kafka_poll_set_consumer(client_.get());
    rd_kafka_topic_partition_list_t* list =
        rd_kafka_topic_partition_list_new(static_cast<int>(topic.partitions.size()));
    for (const std::int32_t partition : topic.partitions)
        rd_kafka_topic_partition_list_add(list, topic.name.c_str(), partition)->offset =
            RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(client_.get(), list);
    rd_kafka_topic_partition_list_destroy(list);
    queue_.reset(rd_kafka_queue_get_consumer(client_.get()));
}

Worker::~Worker() {
    queue_.reset();
}

void Worker::run(std::atomic<std::uint64_t>& applied, std::uint64_t wanted) {
    std::vector<rd_kafka_message_t*> taken(batch_);
    while (applied < wanted) {
        const ssize_t count =
            rd_kafka_consume_batch_queue(queue_.get(), patience, taken.data(), taken.size());
        std::vector<std::unique_ptr<rd_kafka_message_t, Destroy>> records;
        for (ssize_t i = 0; i < count; ++i) records.emplace_back(taken[static_cast<std::size_t>(i)]);
        std::vector<Event> events;
        for (const auto& record : records)
            if (record->err == RD_KAFKA_RESP_ERR_NO_ERROR) events.push_back(reader_.read(*record));
        if (events.empty()) continue;
        ledger_.apply(events);
        applied += events.size();
        applied.notify_all();
    }
}

}  // namespace sluice::bench
