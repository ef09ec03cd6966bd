#include "ingress/publish/kafka_producer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka_mock.h>

#include <atomic>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "ingress/connection/deadlines.hpp"
#include "ingress/publish/kafka_publisher.hpp"
#include "ingress/publish/partition.hpp"

namespace sluice::publish {
namespace {

using namespace std::chrono_literals;

constexpr std::int16_t produce_request = 0;
constexpr std::int16_t init_producer_id_request = 22;
constexpr int partitions = 4;

using MockCluster = kafka::Handle<rd_kafka_mock_cluster_t, rd_kafka_mock_cluster_destroy>;

/// librdkafka's own broker in memory, with both topics.
class Broker {
public:
    Broker()
        : client_{rd_kafka_new(RD_KAFKA_PRODUCER, nullptr, nullptr, 0)},
          cluster_{rd_kafka_mock_cluster_new(client_.get(), 1)} {
        rd_kafka_mock_topic_create(cluster_.get(), "events", partitions, 1);
        rd_kafka_mock_topic_create(cluster_.get(), "events.quarantine", 1, 1);
    }

    [[nodiscard]] config::KafkaSettings settings() const {
        config::KafkaSettings settings;
        settings.brokers = {rd_kafka_mock_cluster_bootstraps(cluster_.get())};
        settings.topic = "events";
        settings.quarantine_topic = "events.quarantine";
        return settings;
    }
    void fail_next(std::int16_t request, rd_kafka_resp_err_t error, int times) {
        for (int i = 0; i < times; ++i) rd_kafka_mock_push_request_errors(cluster_.get(), request, 1, error);
    }
    void slow_down(int milliseconds) { rd_kafka_mock_broker_set_rtt(cluster_.get(), 1, milliseconds); }

    /// Values of one partition in the order in which they lie there.
    [[nodiscard]] std::vector<std::string> values(int partition, std::size_t count) const {
        kafka::Conf conf{rd_kafka_conf_new()};
        kafka::Client reader{nullptr};
        rd_kafka_conf_set(conf.get(), "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster_.get()),
                          nullptr, 0);
        rd_kafka_conf_set(conf.get(), "group.id", "reader", nullptr, 0);
        reader.reset(rd_kafka_new(RD_KAFKA_CONSUMER, conf.release(), nullptr, 0));
        const kafka::PartitionList list{rd_kafka_topic_partition_list_new(1)};
        rd_kafka_topic_partition_list_add(list.get(), "events", partition)->offset = 0;
        rd_kafka_assign(reader.get(), list.get());
        std::vector<std::string> all;
        for (int nothing = 0; all.size() < count && nothing < 100;) {
            const kafka::Message message{rd_kafka_consumer_poll(reader.get(), 200)};
            if (!message || message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
                ++nothing;
            else
                all.emplace_back(static_cast<const char*>(message->payload), message->len);
        }
        return all;
    }

private:
    kafka::Client client_;
    MockCluster cluster_;
};

Topics topics(std::int64_t max_message_bytes = 1'000'000) {
    Topics all;
    all.events = {.cluster_id = "c",
                  .topic_id = "t",
                  .partitions = partitions,
                  .replication = 1,
                  .min_insync = 1,
                  .max_message_bytes = max_message_bytes};
    all.quarantine = all.events;
    all.quarantine.partitions = 1;
    return all;
}

/// A producer with one io_context's publisher, run as long as a test waits for something.
class Publishing {
public:
    explicit Publishing(const Broker& broker) : settings_{broker.settings()} {}

    void adopt(const Topics& of_broker) {
        producer_->adopt(of_broker);
        run_until([&] { return readiness_.ready(); });
    }

    /// Starts a publication; its outcome is appended to `outcomes`.
    void start(const std::string& key, const std::string& value, Milliseconds within = 20s,
               Topic topic = Topic::events) {
        const ingress::Executor executor = io_.get_executor();
        ingress::asio::co_spawn(executor, one(key, value, within, topic), ingress::asio::detached);
    }

    Published publish(const std::string& value, Milliseconds within = 20s, Topic topic = Topic::events) {
        const std::size_t before = outcomes.size();
        start("key", value, within, topic);
        run_until([&] { return outcomes.size() > before; });
        return outcomes.back();
    }

    void run_until(const std::function<bool()>& done) {
        const SteadyTime end = clock_.steady() + 40s;
        bool is_done = done();
        while (!is_done && clock_.steady() < end) {
            io_.run_one_for(10ms);
            io_.restart();
            deadlines_.sweep(clock_.steady());
            is_done = done();
        }
        ASSERT_TRUE(is_done) << readiness_.report();
    }

    /// As at a shutdown: the shards go on while the main thread waits.
    bool flush(Milliseconds within) {
        const std::jthread shard{[this](const std::stop_token& stop) {
            while (!stop.stop_requested()) io_.run_one_for(10ms);
        }};
        return producer_->flush(within);
    }

    std::vector<Published> outcomes;
    int late_acks = 0;
    Metrics metrics;

private:
    ingress::Task<void> one(std::string key, std::string value, Milliseconds within, Topic topic) {
        const std::vector<record::HeaderView> headers{{"ce_id", "evt_1"}};
        const Record record{topic, key, value, headers, dedup::Marker{}};
        const SteadyTime answer_by = clock_.steady() + within;
        const Published outcome = co_await publisher_.publish(record, answer_by);
        outcomes.push_back(outcome);
    }

    config::KafkaSettings settings_;
    SystemClock clock_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Readiness readiness_;
    connection::Deadlines deadlines_;
    ingress::asio::io_context io_{1};
    std::unique_ptr<KafkaProducer> producer_ =
        std::make_unique<KafkaProducer>(settings_, clock_, log_, metrics, readiness_);
    KafkaPublisher publisher_{io_, *producer_, deadlines_, clock_,
                              [this](const dedup::Marker&) { ++late_acks; }};

public:
    ~Publishing() { producer_.reset(); }
    KafkaProducer& producer() { return *producer_; }
    [[nodiscard]] const Readiness& readiness() const { return readiness_; }
};

TEST(KafkaProducer, NothingCanBeSentBeforeTheTopicsAreKnown) {
    const Broker broker;
    Publishing publishing{broker};
    EXPECT_EQ(publishing.publish("a"), Published::unavailable);
    EXPECT_FALSE(publishing.readiness().ready());
}

TEST(KafkaProducer, AcknowledgedRecordIsStoredInItsKeysPartition) {
    const Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    EXPECT_EQ(publishing.publish("hello"), Published::stored);
    EXPECT_EQ(broker.values(partition_of("key", partitions), 1), std::vector<std::string>{"hello"});
    EXPECT_EQ(publishing.publish("unreadable", 20s, Topic::quarantine), Published::stored);
}

TEST(KafkaProducer, RecordsOfOneKeyLieInTheOrderInWhichTheyCame) {
    Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    broker.slow_down(30);
    std::vector<std::string> sent;
    for (int i = 0; i < 300; ++i) {
        sent.push_back(std::to_string(i));
        publishing.start("key", sent.back());
        if (i % 50 == 0)
            publishing.run_until([&, before = publishing.outcomes.size()] {
                return i == 0 || publishing.outcomes.size() > before;
            });
    }
    publishing.run_until([&] { return publishing.outcomes.size() == sent.size(); });
    EXPECT_EQ(publishing.outcomes, std::vector<Published>(sent.size(), Published::stored));
    const auto lying = broker.values(partition_of("key", partitions), sent.size());
    ASSERT_EQ(lying.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(lying[i], sent[i]) << i;
}

TEST(KafkaProducer, RefusedByTheBrokerIsNoAckAndALateOneIsToldOf) {
    Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    ASSERT_EQ(publishing.publish("first"), Published::stored);
    broker.fail_next(produce_request, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, 4);
    EXPECT_EQ(publishing.publish("second", 200ms), Published::not_acked);
    EXPECT_EQ(publishing.late_acks, 0);
    publishing.run_until([&] { return publishing.late_acks == 1; });
    EXPECT_EQ(publishing.publish("third"), Published::stored);
    EXPECT_EQ(publishing.late_acks, 1) << "one in time is not late";
}

TEST(KafkaProducer, TooSlowABrokerIsNoAck) {
    Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    ASSERT_EQ(publishing.publish("first"), Published::stored);
    broker.slow_down(1500);
    EXPECT_EQ(publishing.publish("second", 300ms), Published::not_acked);
    EXPECT_EQ(publishing.publish("third", 600ms), Published::not_acked) << "behind it";
    broker.slow_down(0);
    publishing.run_until([&] { return publishing.late_acks == 2; });
}

TEST(KafkaProducer, WhatCannotDrainInTimeIsShed) {
    Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    broker.slow_down(2000);
    EXPECT_EQ(publishing.publish("first", 300ms), Published::not_acked);
    EXPECT_EQ(publishing.publish("second", 200ms), Published::shed);
    broker.slow_down(0);
}

TEST(KafkaProducer, RecordAboveTheTopicsLimitIsNotSent) {
    const Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics(4096));
    EXPECT_EQ(publishing.publish(std::string(5000, 'x')), Published::too_large);
    EXPECT_EQ(publishing.publish("small"), Published::stored);
}

TEST(KafkaProducer, FatalErrorMakesItAnew) {
    Broker broker;
    Publishing publishing{broker};
    broker.fail_next(init_producer_id_request, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, 1);
    publishing.producer().adopt(topics());
    const Counter& fatal = publishing.metrics.counter("sluice_ingress_producer_fatal_total", "");
    publishing.run_until([&] { return fatal.Value() == 1; });
    publishing.run_until([&] { return publishing.readiness().concerns().at("producer"); });
    EXPECT_EQ(publishing.publish("hello"), Published::stored);
}

TEST(KafkaProducer, TopicMadeAnewMakesItAnew) {
    const Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    ASSERT_EQ(publishing.publish("first"), Published::stored);
    Topics other = topics();
    other.events.topic_id = "u";
    other.events.partitions = 2;
    publishing.adopt(other);
    publishing.run_until([&] { return publishing.publish("second", 2s) == Published::stored; });
}

// glibc lets readers of a shared_mutex in before a writer that waits.
TEST(KafkaProducer, IsReplacedWhileRequestsKeepItBusy) {
    const Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics(4096));
    std::atomic<bool> is_over = false;
    const auto keep_busy = [&, too_large = std::string(5000, 'x')] {
        const Record record{Topic::events, "key", too_large, {}, dedup::Marker{}};
        while (!is_over)
            (void)publishing.producer().send(
                record, std::make_unique<Delivery>(Delivery{.reports = nullptr, .marker = {}}), 1s,
                SystemClock{}.steady());
    };
    std::vector<std::jthread> requests;
    for (int i = 0; i < 8; ++i) requests.emplace_back(keep_busy);
    Topics other = topics(1024);
    other.events.topic_id = "u";
    publishing.adopt(other);
    publishing.run_until(
        [&] { return publishing.publish(std::string(2048, 'x'), 2s) == Published::too_large; });
    is_over = true;
}

TEST(KafkaProducer, FlushWaitsForEveryReport) {
    Broker broker;
    Publishing publishing{broker};
    publishing.adopt(topics());
    broker.slow_down(200);
    for (int i = 0; i < 20; ++i) publishing.start(std::to_string(i), "v");
    publishing.run_until([n = 0]() mutable { return ++n > 3; });
    EXPECT_TRUE(publishing.flush(20s));
    publishing.run_until([&] { return publishing.outcomes.size() == 20; });
    EXPECT_EQ(publishing.outcomes, std::vector<Published>(20, Published::stored));
}

}  // namespace
}  // namespace sluice::publish
