#include "common/kafka/topic_facts.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "common/clock.hpp"
#include "common/crypto/encoding.hpp"
#include "common/kafka/error.hpp"
#include "common/kafka/topic_settings.hpp"

namespace sluice::kafka {
namespace {

using ClusterId = std::unique_ptr<char, decltype([](char* text) { rd_kafka_mem_free(nullptr, text); })>;

Failure failed(rd_kafka_resp_err_t code) {
    return Failure{make_error(code)};
}

class Deadline {
public:
    explicit Deadline(std::chrono::milliseconds timeout) : end_{SystemClock{}.steady() + timeout} {}

    [[nodiscard]] int milliseconds_left() const {
        using std::chrono::milliseconds;
        const auto left = std::chrono::ceil<milliseconds>(end_ - SystemClock{}.steady());
        return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 1, 3'600'000));
    }

private:
    SteadyTime end_;
};

/// One admin request: its options, the queue for its answer, and the wait for it.
class Request {
public:
    Request(rd_kafka_t& client, rd_kafka_admin_op_t operation, const Deadline& deadline)
        : deadline_{deadline},
          options_{rd_kafka_AdminOptions_new(&client, operation)},
          queue_{rd_kafka_queue_new(&client)} {
        rd_kafka_AdminOptions_set_request_timeout(options_.get(), deadline.milliseconds_left(), nullptr, 0);
    }

    [[nodiscard]] const rd_kafka_AdminOptions_t* options() const { return options_.get(); }
    [[nodiscard]] rd_kafka_queue_t* queue() const { return queue_.get(); }

    [[nodiscard]] Result<Event> answer() const {
        Event event{rd_kafka_queue_poll(queue_.get(), deadline_.milliseconds_left())};
        if (!event) return failed(RD_KAFKA_RESP_ERR__TIMED_OUT);
        if (const auto code = rd_kafka_event_error(event.get())) return failed(code);
        return event;
    }

private:
    const Deadline& deadline_;
    AdminOptions options_;
    Queue queue_;
};

/// Kafka's own text form (base64url without padding). Empty when the broker gave no id (before 2.8).
std::string text_of(const rd_kafka_Uuid_t* id) {
    if (id == nullptr) return {};
    const std::array halves{static_cast<std::uint64_t>(rd_kafka_Uuid_most_significant_bits(id)),
                            static_cast<std::uint64_t>(rd_kafka_Uuid_least_significant_bits(id))};
    if (halves[0] == 0 && halves[1] == 0) return {};
    std::string bytes;
    for (const std::uint64_t half : halves) {
        for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((half >> shift) & 0xff);
    }
    std::string text = crypto::to_base64(bytes);
    text.erase(text.find_last_not_of('=') + 1);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    return text;
}

int least_replication(std::span<const rd_kafka_TopicPartitionInfo_t*> partitions) {
    std::size_t least = 0;
    for (const auto* partition : partitions) {
        std::size_t replicas = 0;
        (void)rd_kafka_TopicPartitionInfo_replicas(partition, &replicas);
        least = partition == partitions.front() ? replicas : std::min(least, replicas);
    }
    return static_cast<int>(least);
}

/// An admin request that waits for its broker makes librdkafka (2.8) connect again whenever a connect has
/// failed, without a pause: thousands of times a second while brokers are away. A metadata request has
/// pauses.
std::error_code find_any_broker(rd_kafka_t& client, const Deadline& deadline) {
    const rd_kafka_metadata_t* got = nullptr;
    const auto code = rd_kafka_metadata(&client, 0, nullptr, &got, deadline.milliseconds_left());
    const Metadata answer{got};
    return code == RD_KAFKA_RESP_ERR_NO_ERROR ? std::error_code{} : make_error(code);
}

std::error_code read_description(rd_kafka_t& client, const std::string& topic, const Deadline& deadline,
                                 TopicFacts& facts) {
    const Request request{client, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, deadline};
    const char* name = topic.c_str();
    const TopicCollection topics{rd_kafka_TopicCollection_of_topic_names(&name, 1)};
    rd_kafka_DescribeTopics(&client, topics.get(), request.options(), request.queue());
    const auto event = request.answer();
    if (!event) return event.error();

    std::size_t count = 0;
    const auto* result = rd_kafka_event_DescribeTopics_result(event->get());
    const auto** descriptions = rd_kafka_DescribeTopics_result_topics(result, &count);
    if (count != 1) return make_error(RD_KAFKA_RESP_ERR__BAD_MSG);
    if (const auto code = rd_kafka_error_code(rd_kafka_TopicDescription_error(descriptions[0]))) {
        return make_error(code);
    }
    const auto** partitions = rd_kafka_TopicDescription_partitions(descriptions[0], &count);
    facts.partitions = static_cast<int>(count);
    facts.replication = least_replication({partitions, count});
    facts.topic_id = text_of(rd_kafka_TopicDescription_topic_id(descriptions[0]));
    return facts.topic_id.empty() ? make_error(RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE) : std::error_code{};
}

TopicSettings settings_in(std::span<const rd_kafka_ConfigEntry_t*> entries) {
    TopicSettings settings;
    for (const auto* entry : entries) {
        if (const char* text = rd_kafka_ConfigEntry_value(entry))
            settings.emplace(rd_kafka_ConfigEntry_name(entry), text);
    }
    return settings;
}

std::error_code read_settings(rd_kafka_t& client, const std::string& topic, const Deadline& deadline,
                              TopicFacts& facts) {
    const Request request{client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, deadline};
    const ConfigResource resource{rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str())};
    rd_kafka_ConfigResource_t* resources[] = {resource.get()};
    rd_kafka_DescribeConfigs(&client, resources, 1, request.options(), request.queue());
    const auto event = request.answer();
    if (!event) return event.error();

    std::size_t count = 0;
    const auto* result = rd_kafka_event_DescribeConfigs_result(event->get());
    const auto** described = rd_kafka_DescribeConfigs_result_resources(result, &count);
    if (count != 1) return make_error(RD_KAFKA_RESP_ERR__BAD_MSG);
    if (const auto code = rd_kafka_ConfigResource_error(described[0])) return make_error(code);
    const auto** entries = rd_kafka_ConfigResource_configs(described[0], &count);
    const bool is_understood = take_settings(settings_in({entries, count}), facts);
    return is_understood ? std::error_code{} : make_error(RD_KAFKA_RESP_ERR__BAD_MSG);
}

}  // namespace

Result<TopicFacts> read_topic_facts(rd_kafka_t& client, const std::string& topic,
                                    std::chrono::milliseconds timeout) {
    const Deadline deadline{timeout};
    TopicFacts facts;
    if (const auto error = find_any_broker(client, deadline)) return Failure{error};
    if (const auto error = read_description(client, topic, deadline, facts)) return Failure{error};
    if (const auto error = read_settings(client, topic, deadline, facts)) return Failure{error};
    const ClusterId cluster{rd_kafka_clusterid(&client, deadline.milliseconds_left())};
    if (!cluster) return failed(RD_KAFKA_RESP_ERR__TIMED_OUT);
    facts.cluster_id = cluster.get();
    return facts;
}

}  // namespace sluice::kafka
