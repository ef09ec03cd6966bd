#include "consumer/store/traffic/source_traffic.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

constexpr auto this_hour = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;

class SourceTrafficTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }
    void add(std::string_view source, std::chrono::hours hour, std::int64_t events,
             std::chrono::minutes last) {
        ASSERT_TRUE(
            add_traffic(*connection, source, {this_hour + hour, events}, WallTime{this_hour + hour + last}))
            << connection->last_error().message;
    }
    std::vector<std::int64_t> events_of(std::string_view source, WallTime since) {
        std::vector<std::int64_t> events;
        const auto hours = traffic_of(*connection, source, since).value();
        for (const auto& hour : hours) events.push_back(hour.events);
        return events;
    }

    std::unique_ptr<Connection> connection;
};

TEST_F(SourceTrafficTest, AddsUpWhatProcessesWrite) {
    add("eu", 0h, 3, 10min);
    add("eu", 0h, 4, 5min);
    add("eu", -1h, 7, 59min);
    add("us", 0h, 1, 0min);
    EXPECT_EQ(events_of("eu", this_hour - 1h), (std::vector<std::int64_t>{7, 7}));
    EXPECT_EQ(events_of("eu", this_hour), (std::vector<std::int64_t>{7}));
    const auto newest = newest_by_source(*connection).value();
    ASSERT_EQ(newest.size(), 2U);
    EXPECT_EQ(newest[0].source, "eu");
    EXPECT_EQ(newest[0].at, this_hour + 10min) << "a process that is behind takes nothing back";
    EXPECT_EQ(newest[1].source, "us");
    EXPECT_EQ(newest[1].at, this_hour);
}

TEST_F(SourceTrafficTest, IsLearnedFromTheHoursBeforeTheNewest) {
    for (int hour = -8 * 168; hour < 0; ++hour) add("eu", std::chrono::hours{hour}, 300, 59min);
    add("eu", 0h, 9'999, 20min);
    const auto usual = usual_traffic(*connection, newest_by_source(*connection).value().front());
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->strange_after(this_hour + 20min), 30min);
    EXPECT_EQ(usual->longest_usual_silence(), 1h);
}

TEST_F(SourceTrafficTest, GoesByTheHourAfterTwelveWeeks) {
    for (int hour = 0; hour < 1005; ++hour) add("eu", std::chrono::hours{-hour}, 1, 0min);
    EXPECT_EQ(delete_old_traffic(*connection, this_hour - 2h + std::chrono::weeks{12}), 1002);
    EXPECT_EQ(events_of("eu", this_hour - 99h).size(), 3U);
}

}  // namespace
}  // namespace sluice::store
