#include "consumer/retry_role/arrival_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka_mock.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime at_first{1000s};

/// librdkafka's own broker in memory, with the topic of events.
class ArrivalGaugesTest : public testing::Test {
protected:
    ArrivalGaugesTest()
        : owner_{rd_kafka_new(RD_KAFKA_PRODUCER, nullptr, nullptr, 0)},
          cluster_{rd_kafka_mock_cluster_new(owner_.get(), 1)} {
        rd_kafka_mock_topic_create(cluster_.get(), "events", 4, 1);
        kafka_.topic = "events";
        kafka::Conf conf{rd_kafka_conf_new()};
        rd_kafka_conf_set(conf.get(), "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster_.get()),
                          nullptr, 0);
        client_.reset(rd_kafka_new(RD_KAFKA_PRODUCER, conf.release(), nullptr, 0));
    }

    void come(int events) {
        const kafka::Topic topic{rd_kafka_topic_new(client_.get(), "events", nullptr)};
        std::string body = "{}";
        for (int i = 0; i < events; ++i)
            rd_kafka_produce(topic.get(), i % 4, RD_KAFKA_MSG_F_COPY, body.data(), body.size(), nullptr, 0,
                             nullptr);
        ASSERT_EQ(rd_kafka_flush(client_.get(), 10'000), RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    double gauge(const std::string& name) { return metrics_.gauge("sluice_consumer_" + name, "").Value(); }

    kafka::Client owner_;
    kafka::Handle<rd_kafka_mock_cluster_t, rd_kafka_mock_cluster_destroy> cluster_;
    kafka::Client client_;
    config::KafkaSettings kafka_;
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Metrics metrics_;
};

TEST_F(ArrivalGaugesTest, TellWhatComesIntoAllPartitions) {
    ArrivalGauges gauges{*client_, kafka_, 2, log_, metrics_};
    come(50);
    gauges.look(at_first);
    EXPECT_EQ(gauge("pods_wanted"), 0) << "not known yet";
    come(150);
    gauges.look(at_first + 60s);
    EXPECT_EQ(gauge("arriving_events_per_second"), 2.5);
    EXPECT_EQ(gauge("pods_wanted"), 2);
}

TEST_F(ArrivalGaugesTest, WantOnlyPodsForPinnedPartitions) {
    kafka_.partitions = 2;
    ArrivalGauges gauges{*client_, kafka_, 1, log_, metrics_};
    gauges.look(at_first);
    come(600);
    gauges.look(at_first + 60s);
    EXPECT_EQ(gauge("pods_wanted"), 2);
}

TEST_F(ArrivalGaugesTest, KeepWhatTheySayWhileTheTopicCannotBeRead) {
    ArrivalGauges gauges{*client_, kafka_, 1, log_, metrics_};
    gauges.look(at_first);
    come(60);
    gauges.look(at_first + 60s);
    kafka_.topic = "another";
    rd_kafka_mock_topic_set_error(cluster_.get(), "another", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    gauges.look(at_first + 70s);
    EXPECT_EQ(gauge("pods_wanted"), 1);
    kafka_.topic = "events";
    come(240);
    gauges.look(at_first + 120s);
    EXPECT_EQ(gauge("arriving_events_per_second"), 2.5) << "what was seen before counts again";
}

TEST_F(ArrivalGaugesTest, AreNotThereBeforeTheFirstAnswer) {
    kafka_.topic = "another";
    rd_kafka_mock_topic_set_error(cluster_.get(), "another", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    ArrivalGauges gauges{*client_, kafka_, 1, log_, metrics_};
    gauges.look(at_first);
    EXPECT_EQ(metrics_.exposition().find("pods_wanted"), std::string::npos);
}

}  // namespace
}  // namespace sluice::consumer
