#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "tests/bench/drain/ledger.hpp"

namespace sluice::bench {

struct Topic {
    std::string brokers;
    std::string name;
    std::vector<std::int32_t> partitions;  ///< those that one worker reads, from their beginning
};

/// One reader with one connection: takes what is there, at most a batch, applies it, goes on. No groups, no
/// offsets stored: the floor is run once over a topic.
class Worker {
public:
    Worker(const Topic& topic, const Database& database, Form form, std::size_t batch);
    ~Worker();
    Worker(const Worker&) = delete;

    /// Until all workers together have applied `wanted` events.
    void run(std::atomic<std::uint64_t>& applied, std::uint64_t wanted);

private:
    struct Destroy {
        void operator()(rd_kafka_t* client) const noexcept { rd_kafka_destroy(client); }
        void operator()(rd_kafka_queue_t* queue) const noexcept { rd_kafka_queue_destroy(queue); }
        void operator()(rd_kafka_message_t* record) const noexcept { rd_kafka_message_destroy(record); }
    };

    Ledger ledger_;
    EventReader reader_;
    std::size_t batch_;
    std::unique_ptr<rd_kafka_t, Destroy> client_;
    std::unique_ptr<rd_kafka_queue_t, Destroy> queue_;
};

}  // namespace sluice::bench
