#include "consumer/retry_role/retry_loop.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka_mock.h>

namespace sluice::consumer {
namespace {

constexpr std::int16_t offset_fetch_request = 9;
constexpr int most_turns = 600;  // of 50 ms at most

using MockCluster = kafka::Handle<rd_kafka_mock_cluster_t, rd_kafka_mock_cluster_destroy>;

class Taker final : public RecordTaker {
public:
    void offer(Items items) override {
        for (const Item& item : items) {
            taken.emplace_back(item.record.value);
            at.push_back(item.record.at);
        }
    }
    [[nodiscard]] bool in_trouble() const noexcept override { return false; }
    [[nodiscard]] bool quiesce(SteadyTime) override { return true; }
    void resume() override {}

    std::vector<std::string> taken;
    std::vector<Coordinates> at;
};

/// A member of the retry role's group at librdkafka's own broker in memory, with one topic of commands.
class RetryLoopTest : public testing::Test {
protected:
    RetryLoopTest()
        : producer_{rd_kafka_new(RD_KAFKA_PRODUCER, nullptr, nullptr, 0)},
          cluster_{rd_kafka_mock_cluster_new(producer_.get(), 1)} {
        rd_kafka_mock_topic_create(cluster_.get(), "commands", 1, 1);
        kafka_.brokers = {rd_kafka_mock_cluster_bootstraps(cluster_.get())};
        kafka_.group = "group";
        // The broker in memory lets a group rest for that long after a member has left.
        kafka_.options = {{"session.timeout.ms", "6000"}};
        put("first");
    }

    void put(const std::string& value) {
        kafka::Conf conf{rd_kafka_conf_new()};
        rd_kafka_conf_set(conf.get(), "bootstrap.servers", kafka_.brokers.front().c_str(), nullptr, 0);
        const kafka::Client client{rd_kafka_new(RD_KAFKA_PRODUCER, conf.release(), nullptr, 0)};
        const kafka::Topic topic{rd_kafka_topic_new(client.get(), "commands", nullptr)};
        std::string copy = value;
        rd_kafka_produce(topic.get(), 0, RD_KAFKA_MSG_F_COPY, copy.data(), copy.size(), nullptr, 0, nullptr);
        rd_kafka_flush(client.get(), 10'000);
    }
    void answer_next_questions_for_offsets_with(rd_kafka_resp_err_t error, int times) {
        for (int i = 0; i < times; ++i)
            rd_kafka_mock_push_request_errors(cluster_.get(), offset_fetch_request, 1, error);
    }
    void turn_until_taken(RetryLoop& loop) {
        for (int i = 0; i < most_turns && taker_.taken.empty() && loop.fatal().empty(); ++i) loop.turn();
    }

    kafka::Client producer_;
    MockCluster cluster_;
    config::KafkaSettings kafka_;
    std::vector<RetryTopic> topics_{{.name = "commands", .records = RecordKind::command}};
    Partitions partitions_{Partitions::StoredOnce::finished};
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Metrics metrics_;
    Readiness readiness_;
    SystemClock clock_;
    Taker taker_;
};

TEST_F(RetryLoopTest, CoordinatorThatMovesLeavesNoPartitionUnread) {
    answer_next_questions_for_offsets_with(RD_KAFKA_RESP_ERR_NOT_COORDINATOR, 1);
    RetryLoop loop{kafka_, topics_, partitions_, log_, metrics_, readiness_, clock_};
    loop.start({&taker_});
    turn_until_taken(loop);
    EXPECT_EQ(taker_.taken, std::vector<std::string>{"first"});
    EXPECT_EQ(loop.fatal(), "");
    loop.leave();
}

TEST_F(RetryLoopTest, OffsetsThatCannotBeReadEndTheProcess) {
    answer_next_questions_for_offsets_with(RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, 1000);
    RetryLoop loop{kafka_, topics_, partitions_, log_, metrics_, readiness_, clock_};
    loop.start({&taker_});
    turn_until_taken(loop);
    EXPECT_TRUE(taker_.taken.empty());
    EXPECT_NE(loop.fatal(), "");
    loop.leave();
}

TEST_F(RetryLoopTest, SuccessorOfAMemberThatLeftBeginsBehindWhatWasFinished) {
    RetryLoop loop{kafka_, topics_, partitions_, log_, metrics_, readiness_, clock_};
    loop.start({&taker_});
    turn_until_taken(loop);
    ASSERT_EQ(taker_.taken.size(), 1U);
    partitions_.finish(taker_.at.front());
    loop.leave();

    put("second");
    taker_ = {};
    Partitions partitions{Partitions::StoredOnce::finished};
    RetryLoop successor{kafka_, topics_, partitions, log_, metrics_, readiness_, clock_};
    successor.start({&taker_});
    turn_until_taken(successor);
    EXPECT_EQ(taker_.taken, std::vector<std::string>{"second"});
    successor.leave();
}

}  // namespace
}  // namespace sluice::consumer
