#include "ctl/topics/kafka_admin.hpp"

#include <array>

#include "common/joined.hpp"
#include "common/kafka/client_config.hpp"
#include "common/kafka/error.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {
namespace {

using kafka::make_error;

// Runs inside rd_kafka_poll, on our own thread.
void keep_error(rd_kafka_t*, int, const char* reason, void* last_error) noexcept {
    try {
        *static_cast<std::string*>(last_error) = reason;
    } catch (...) {
        // The reason is lost, the error is not.
    }
}

kafka::Client client_of(const config::KafkaSettings& settings, std::string& last_error) {
    kafka::Conf conf = kafka::client_config(settings, "sluicectl");
    rd_kafka_conf_set_opaque(conf.get(), &last_error);
    rd_kafka_conf_set_error_cb(conf.get(), keep_error);
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);
    auto client = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings);
    if (!client) throw Stopped{Exit::usage, "kafka: " + client.error()};
    return std::move(*client);
}

kafka::NewTopic new_topic_of(const TopicWish& wish) {
    std::array<char, 512> reason{};
    kafka::NewTopic topic{rd_kafka_NewTopic_new(wish.name.c_str(), wish.partitions, wish.replication,
                                                reason.data(), reason.size())};
    if (!topic) throw Stopped{Exit::usage, wish.name + ": " + reason.data()};
    const auto set = [&](const char* name, const std::string& value) {
        static_cast<void>(
            rd_kafka_NewTopic_set_config(topic.get(), name, value.c_str()));  // fails on null only
    };
    // Set explicitly, so that the brokers' defaults lose nothing (kafka::losing_setting).
    set("cleanup.policy", "delete");
    set("retention.bytes", "-1");
    set("unclean.leader.election.enable", "false");
    set("min.insync.replicas", std::to_string(wish.min_insync));
    set("retention.ms", std::to_string(wish.retention.count()));
    set("max.message.bytes", std::to_string(wish.max_message_bytes));
    return topic;
}

/// What the broker said of the one topic; empty when it is there now.
std::string refusal_in(rd_kafka_event_t& event) {
    if (rd_kafka_event_error(&event) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return rd_kafka_event_error_string(&event);
    std::size_t count = 0;
    const auto* result = rd_kafka_event_CreateTopics_result(&event);
    const auto** topics = rd_kafka_CreateTopics_result_topics(result, &count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto code = rd_kafka_topic_result_error(topics[i]);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) continue;
        const char* words = rd_kafka_topic_result_error_string(topics[i]);
        return words != nullptr ? words : rd_kafka_err2str(code);
    }
    return {};
}

}  // namespace

KafkaAdmin::KafkaAdmin(const config::KafkaSettings& settings, std::chrono::milliseconds patience)
    : brokers_{joined(settings.brokers, ",")},
      patience_{patience},
      last_error_{std::make_unique<std::string>()},
      client_{client_of(settings, *last_error_)} {}

std::string KafkaAdmin::complaint(const std::string& otherwise) const {
    return "Kafka at " + brokers_ + ": " + (last_error_->empty() ? otherwise : *last_error_);
}

void KafkaAdmin::reach() {
    const bool is_there = rd_kafka_controllerid(client_.get(), static_cast<int>(patience_.count())) >= 0;
    rd_kafka_poll(client_.get(), 0);
    if (!is_there) throw Stopped{Exit::unreachable, complaint("no broker answers")};
}

std::optional<kafka::TopicFacts> KafkaAdmin::facts(const std::string& topic) {
    auto facts = kafka::read_topic_facts(*client_, topic, patience_);
    rd_kafka_poll(client_.get(), 0);
    if (facts) return std::move(*facts);
    if (facts.error() == make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)) return std::nullopt;
    const bool is_away = facts.error() == make_error(RD_KAFKA_RESP_ERR__TIMED_OUT) ||
                         facts.error() == make_error(RD_KAFKA_RESP_ERR__TRANSPORT) ||
                         facts.error() == make_error(RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN);
    if (is_away) throw Stopped{Exit::unreachable, complaint(facts.error().message())};
    throw Stopped{Exit::no, "Kafka at " + brokers_ + ", topic " + topic + ": " + facts.error().message()};
}

int KafkaAdmin::members(const std::string& group) {
    const rd_kafka_group_list* found = nullptr;
    const auto code =
        rd_kafka_list_groups(client_.get(), group.c_str(), &found, static_cast<int>(patience_.count()));
    const kafka::GroupList list{found};
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        throw Stopped{Exit::unreachable, complaint("group " + group + ": " + rd_kafka_err2str(code))};
    int members = 0;
    for (int i = 0; i < list->group_cnt; ++i) members += list->groups[i].member_cnt;
    return members;
}

void KafkaAdmin::create(const TopicWish& wish) {
    const kafka::NewTopic topic = new_topic_of(wish);
    const kafka::Queue queue{rd_kafka_queue_new(client_.get())};
    const kafka::AdminOptions options{
        rd_kafka_AdminOptions_new(client_.get(), RD_KAFKA_ADMIN_OP_CREATETOPICS)};
    const int patience = static_cast<int>(patience_.count());
    static_cast<void>(rd_kafka_AdminOptions_set_operation_timeout(options.get(), patience, nullptr, 0));
    rd_kafka_NewTopic_t* topics[] = {topic.get()};
    rd_kafka_CreateTopics(client_.get(), topics, 1, options.get(), queue.get());
    const kafka::Event event{rd_kafka_queue_poll(queue.get(), 2 * patience)};
    if (!event) throw Stopped{Exit::unreachable, complaint("no answer to the creation of " + wish.name)};
    const std::string refusal = refusal_in(*event);
    if (!refusal.empty())
        throw Stopped{Exit::no, "Kafka at " + brokers_ + " does not create " + wish.name + ": " + refusal};
}

}  // namespace sluice::ctl
