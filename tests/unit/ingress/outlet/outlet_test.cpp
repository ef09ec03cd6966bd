// Where no server answers. With servers: tests/integration/test_outlet.py.
#include "ingress/outlet/outlet.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

#include "common/config/problems.hpp"

namespace sluice::outlet {
namespace {

using namespace std::chrono_literals;

constexpr Program poller{"sluice-poller", "sluice_poller"};

class OutletTest : public testing::Test {
protected:
    OutletTest() {
        kafka.brokers = {"127.0.0.1:1"};
        kafka.topic = "events";
        kafka.quarantine_topic = "events.quarantine";
        redis.servers = {{.host = "127.0.0.1", .port = 1}};
    }

    std::unique_ptr<Outlet> open() {
        return std::make_unique<Outlet>(kafka, redis, poller, log_, metrics, readiness, clock_);
    }

    [[nodiscard]] static Parcel parcel() {
        return {.key = "key", .value = "value", .marker = dedup::Marker{crypto::sha256("a"), {}}};
    }

    config::KafkaSettings kafka;
    config::RedisSettings redis;
    Metrics metrics;
    Readiness readiness;

private:
    SystemClock clock_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
};

TEST_F(OutletTest, WithoutABrokerNothingIsSent) {
    const auto outlet = open();
    const std::vector parcels(3, parcel());
    EXPECT_EQ(outlet->deliver(parcels, 1h), std::vector(3, Kept::unavailable));
    EXPECT_FALSE(readiness.concerns().at("kafka"));
    EXPECT_FALSE(readiness.concerns().at("producer"));
}

TEST_F(OutletTest, IsForAnyThreadAndSeveralAtOnce) {
    const auto outlet = open();
    const std::vector parcels(1, parcel());
    const auto deliver = [&] {
        for (int i = 0; i < 50; ++i) EXPECT_EQ(outlet->deliver(parcels, 1h), std::vector{Kept::unavailable});
    };
    const std::jthread one{deliver};
    const std::jthread other{deliver};
}

TEST_F(OutletTest, SeriesHaveTheProgramsName) {
    const auto outlet = open();
    const std::string exposition = metrics.exposition();
    for (const auto* series :
         {"sluice_poller_queued_bytes ", "sluice_poller_producer_fatal_total ",
          "sluice_poller_partitions_changed ", "sluice_poller_redis_connected{server=\"127.0.0.1:1\"} "})
        EXPECT_TRUE(exposition.contains(series)) << series;
    EXPECT_FALSE(exposition.contains("sluice_ingress")) << "they would raise the ingress's alerts";
}

TEST_F(OutletTest, WithoutRedisItHasNoConnections) {
    redis.servers.clear();
    const auto outlet = open();
    EXPECT_EQ(outlet->deliver(std::vector{parcel()}, 1h), std::vector{Kept::unavailable});
    EXPECT_FALSE(metrics.exposition().contains("redis_connected"));
}

TEST_F(OutletTest, SettingsThatCannotBeUsedAreRefused) {
    kafka.options = {{"no.such.property", "1"}};
    EXPECT_THROW(open(), config::Refused);
}

}  // namespace
}  // namespace sluice::outlet
