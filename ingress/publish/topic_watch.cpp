#include "ingress/publish/topic_watch.hpp"

#include <format>
#include <utility>

#include "common/kafka/client_config.hpp"
#include "common/kafka/error.hpp"
#include "common/thread_name.hpp"

namespace sluice::publish {
namespace {

constexpr std::chrono::seconds when_well{5};
constexpr std::chrono::seconds when_not{1};
constexpr std::chrono::seconds look_within{3};

}  // namespace

TopicWatch::TopicWatch(const config::KafkaSettings& settings, Log& log, Metrics& metrics,
                       Readiness& readiness, const std::atomic<bool>& wants_originals, OnTopics on_topics,
                       const Program& program, bool expects_outage)
    : settings_{settings},
      log_{log},
      partitions_changed_{
          metrics.gauge(program.metric("partitions_changed"),
                        "1 while the topic has more partitions than when this process began to publish")},
      readiness_{log, readiness, std::format("no metadata yet from {}", settings_.brokers.front())},
      wants_originals_{wants_originals},
      on_topics_{std::move(on_topics)} {
    kafka::Conf conf = kafka::client_config(settings_, std::format("{}-watch", program.name));
    kafka::set(*conf, "allow.auto.create.topics", "false");
    rd_kafka_conf_set_opaque(conf.get(), this);
    rd_kafka_conf_set_error_cb(conf.get(), on_error);
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);  // what matters is said once, through readiness
    auto client = kafka::make_client(RD_KAFKA_PRODUCER, std::move(conf), settings_);
    if (!client) throw config::Refused{"kafka: " + client.error()};
    client_ = std::move(*client);
    if (expects_outage) readiness_.expect_outage();
    thread_ = std::thread{[this] { run(); }};
}

TopicWatch::~TopicWatch() {
    {
        const std::scoped_lock lock{mutex_};
        stopping_ = true;
    }
    stop_.notify_all();
    thread_.join();
}

void TopicWatch::run() {
    name_this_thread("topic-watch");
    std::unique_lock lock{mutex_};
    while (!stopping_) {
        lock.unlock();
        const bool well = look();
        lock.lock();
        stop_.wait_for(lock, well ? when_well : when_not, [this] { return stopping_; });
    }
}

bool TopicWatch::look() {
    Topics topics;
    if (!look_at(settings_.topic, topics.events) || !look_at(settings_.quarantine_topic, topics.quarantine))
        return false;
    if (wants_originals_ && !look_at(settings_.originals_topic, topics.originals.emplace())) return false;
    last_error_.clear();
    if (const std::string why = kafka::spread_shortfall(topics.events, settings_.topic, settings_.partitions);
        !why.empty()) {
        readiness_.wrong(why);
        return false;
    }
    keep_spread(topics.events);
    on_topics_(topics);
    readiness_.good();
    return true;
}

bool TopicWatch::look_at(const std::string& name, kafka::TopicFacts& facts) {
    auto read = kafka::read_topic_facts(*client_, name, look_within);
    rd_kafka_poll(client_.get(), 0);
    if (read) {
        facts = std::move(*read);
        // At once: a topic is wrong whether or not the next one can be read.
        say_hidden(kafka::hidden_settings(facts, name));
        const auto why = kafka::shortfall(facts, name, settings_.min_replication, settings_.min_insync);
        if (!why.empty()) readiness_.wrong(why);
        return why.empty();
    }
    const std::string why = std::format("topic {} at {}: {}{}{}", name, settings_.brokers.front(),
                                        read.error().message(), last_error_.empty() ? "" : "; ", last_error_);
    readiness_.failed(read.error(), why);
    const bool is_missing = read.error() == kafka::make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    if (is_missing || readiness_.is_away()) on_topics_(std::nullopt);
    return false;
}

void TopicWatch::say_hidden(const std::string& sentence) {
    if (!sentence.empty() && said_hidden_.insert(sentence).second)
        log_.warn("topic_settings_hidden", {{"reason", std::string_view{sentence}}});
}

void TopicWatch::keep_spread(kafka::TopicFacts& events) {
    const int now = kafka::spread_of(events, settings_.partitions);
    if (!first_seen_ || first_seen_->topic_id != events.topic_id) first_seen_ = events;
    const int before = kafka::spread_of(*first_seen_, settings_.partitions);
    if (now != before && partitions_changed_.Value() == 0) {
        const std::string why = kafka::spread_changed(settings_.topic, before, now);
        log_.error("partitions_changed", {{"why", std::string_view{why}}});
    }
    partitions_changed_.Set(now != before ? 1 : 0);
    events.partitions = before;
}

void TopicWatch::on_error(rd_kafka_t*, int, const char* reason, void* opaque) {
    static_cast<TopicWatch*>(opaque)->last_error_ = reason;
}

}  // namespace sluice::publish
