#include "consumer/telemetry/decision.hpp"

#include <fcntl.h>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using std::chrono::seconds;

class CommittedTest : public testing::Test {
protected:
    static Item item(std::optional<WallTime> occurred_at) {
        Item item;
        item.decoded = true;
        item.event.provider = "stripe";
        item.event.received_at = received_at;
        item.event.occurred_at = occurred_at;
        return item;
    }

    testing::AssertionResult says(const std::string& line) const {
        if (metrics_.exposition().contains(line + "\n")) return testing::AssertionSuccess();
        return testing::AssertionFailure() << line << " is not in\n" << metrics_.exposition();
    }

    static constexpr WallTime received_at{std::chrono::hours{12}};
    Log log_{{.program = "test", .descriptor = ::open("/dev/null", O_WRONLY)}};
    Metrics metrics_;
    config::KafkaSettings kafka_;
    SystemClock clock_;
    trace::Tracer tracer_;  // off
    EventSpans spans_{tracer_, kafka_, clock_};
    Decisions decisions_{log_, metrics_, spans_};
};

TEST_F(CommittedTest, TheDelayBeginsWhereTheEventOccurred) {
    decisions_.committed(item(received_at - seconds{400}), received_at + seconds{1});
    EXPECT_TRUE(says(R"(webhook_delay_seconds_bucket{provider="stripe",le="300"} 0)"));
    EXPECT_TRUE(says(R"(webhook_delay_seconds_sum{provider="stripe"} 401)"));
    EXPECT_TRUE(says("webhook_lag_seconds_sum 1"));
}

TEST_F(CommittedTest, AnEventWithoutATimeOfItsOwnHasNoDelay) {
    decisions_.committed(item(std::nullopt), received_at + seconds{1});
    EXPECT_FALSE(metrics_.exposition().contains("webhook_delay_seconds"));
    EXPECT_TRUE(says("webhook_lag_seconds_count 1"));
}

TEST_F(CommittedTest, AProvidersClockThatIsAheadTakesNothingFromTheSum) {
    decisions_.committed(item(received_at + seconds{100}), received_at + seconds{1});
    EXPECT_TRUE(says(R"(webhook_delay_seconds_count{provider="stripe"} 1)"));
    EXPECT_TRUE(says(R"(webhook_delay_seconds_sum{provider="stripe"} 0)"));
}

TEST_F(CommittedTest, ABatchCountsAsItsEventsDo) {
    std::vector<Item> items(6);
    for (Item& one : items) one = item(std::nullopt);
    items[0].event.type = items[1].event.type = items[4].event.type = "paid";
    items[2].event.type = items[3].event.type = "failed";
    items[4].event.provider = "adyen";
    items[5].decoded = false;
    std::vector<Decisions::Routine> batch;
    for (const Item& one : items) batch.push_back({Disposition::done, &one});
    batch[3].disposition = Disposition::duplicate;
    decisions_.say_all(batch);
    decisions_.say_all({});
    const std::string processed = "webhook_processed_total{";
    EXPECT_TRUE(says(processed + R"(provider="stripe",result="done",type="paid"} 2)"));
    EXPECT_TRUE(says(processed + R"(provider="stripe",result="done",type="failed"} 1)"));
    EXPECT_TRUE(says(processed + R"(provider="stripe",result="duplicate",type="failed"} 1)"));
    EXPECT_TRUE(says(processed + R"(provider="adyen",result="done",type="paid"} 1)"));
    EXPECT_TRUE(says(processed + R"(provider="unknown",result="done",type="other"} 1)"));
}

}  // namespace
}  // namespace sluice::consumer
