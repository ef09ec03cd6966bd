#include "poller/telemetry/walk_metrics.hpp"

#include <gtest/gtest.h>

namespace sluice::poller {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class WalkMetricsTest : public testing::Test {
protected:
    testing::AssertionResult says(const std::string& name, int value) const {
        const std::string line =
            "sluice_poller_" + name + R"({source="stripe-eu-list"} )" + std::to_string(value) + "\n";
        if (metrics_.exposition().contains(line)) return testing::AssertionSuccess();
        return testing::AssertionFailure() << line << "is not in\n" << metrics_.exposition();
    }

    static PollSettings settings() {
        auto source = std::make_shared<webhook::Source>();
        source->name = "stripe-eu-list";
        source->provider = "stripe";
        PollSettings poll;
        poll.source = std::move(source);
        poll.interval = minutes{1};
        poll.overlap = minutes{5};
        return poll;
    }

    Metrics metrics_;
    WalkMetrics walk_{metrics_, settings()};
    const WallTime noon_{std::chrono::hours{12}};
};

TEST_F(WalkMetricsTest, SaysHowOldTheCheckpointGetsWhileNothingIsWrong) {
    EXPECT_TRUE(says("complete_usual_seconds", 360));
    EXPECT_TRUE(says("complete_seconds", 0));
}

TEST_F(WalkMetricsTest, SaysHowLongItRests) {
    EXPECT_TRUE(metrics_.exposition().contains(
        "sluice_poller_interval_seconds{provider=\"stripe\",source=\"stripe-eu-list\"} 60\n"))
        << metrics_.exposition();
}

TEST_F(WalkMetricsTest, ACheckpointThatStandsGrowsOld) {
    walk_.complete(noon_);
    walk_.aged(noon_ + seconds{300});
    EXPECT_TRUE(says("complete_seconds", 300));
    walk_.aged(noon_ + seconds{900});
    EXPECT_TRUE(says("complete_seconds", 900));
    walk_.complete(noon_ + seconds{600});
    walk_.aged(noon_ + seconds{900});
    EXPECT_TRUE(says("complete_seconds", 300));
}

TEST_F(WalkMetricsTest, WhoStandsBySaysNothingOfTheWalk) {
    walk_.leads();
    walk_.complete(noon_);
    walk_.aged(noon_ + seconds{900});
    walk_.in_trouble(true);
    walk_.halted(true);
    walk_.gap(minutes{5});
    EXPECT_TRUE(says("leading", 1));
    walk_.stands_by();
    for (const char* name : {"leading", "complete_seconds", "in_trouble", "halted", "gap_seconds"})
        EXPECT_TRUE(says(name, 0));
    EXPECT_TRUE(says("complete_usual_seconds", 360));
}

}  // namespace
}  // namespace sluice::poller
