#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "tests/bench/wire/socket.hpp"

namespace sluice::bench {

enum class Form {
    plain,      ///< every record goes to librdkafka at once
    gathering,  ///< one outstanding batch per partition, the next is collected meanwhile
};

/// librdkafka with acks=all and idempotence; reports come on the caller's thread. Exceptions:
/// std::runtime_error.
class Producer {
public:
    using Done = std::function<void(std::uint64_t ticket, bool stored)>;

    Producer(const std::string& brokers, const std::string& topic, Form form, Done done);
    ~Producer();
    Producer(const Producer&) = delete;

    /// Readable when there are reports for `serve`.
    [[nodiscard]] int descriptor() const noexcept { return wake_.get(); }
    void produce(std::string_view key, std::string_view value, std::uint64_t ticket);
    void serve();

private:
    struct Record {
        std::string key;
        std::string value;
        std::uint64_t ticket = 0;
    };
    struct Partition {
        std::size_t outstanding = 0;
        std::deque<Record> gathered;
    };
    struct Destroy {
        void operator()(rd_kafka_t* client) const noexcept { rd_kafka_destroy(client); }
        void operator()(rd_kafka_topic_t* topic) const noexcept { rd_kafka_topic_destroy(topic); }
        void operator()(rd_kafka_queue_t* queue) const noexcept { rd_kafka_queue_destroy(queue); }
    };

    void make_client(const std::string& brokers);
    void learn_partitions();
    void reported(const rd_kafka_message_t& message);
    void hand_over(std::int32_t partition, std::string_view key, std::string_view value,
                   std::uint64_t ticket);

    Form form_;
    Done done_;
    Descriptor wake_;
    std::unique_ptr<rd_kafka_t, Destroy> client_;
    std::unique_ptr<rd_kafka_topic_t, Destroy> topic_;
    std::unique_ptr<rd_kafka_queue_t, Destroy> reports_;
    std::vector<Partition> partitions_;
};

}  // namespace sluice::bench
