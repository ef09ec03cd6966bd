#include "common/telemetry/readiness.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Readiness, IsReadyOnlyWhenEveryConcernIs) {
    Readiness readiness;
    EXPECT_FALSE(readiness.ready()) << "nothing is declared yet";
    readiness.expect("kafka", "metadata unknown");
    readiness.expect("mysql", "not connected");
    EXPECT_FALSE(readiness.ready());
    readiness.set_ready("kafka");
    EXPECT_FALSE(readiness.ready());
    readiness.set_ready("mysql");
    EXPECT_TRUE(readiness.ready());
    readiness.set_unready("kafka", "producer fatal");
    EXPECT_FALSE(readiness.ready());
}

TEST(Readiness, ReportsEachConcernWithItsReason) {
    Readiness readiness;
    readiness.set_ready("mysql");
    readiness.expect("kafka", "topic payments is missing");
    EXPECT_EQ(readiness.report(), "kafka: topic payments is missing\nmysql: ok\n");
}

TEST(Readiness, AConcernOfSeveralIsReadyWhenAllSaySo) {
    Readiness readiness;
    const int one = 1;
    const int other = 2;
    readiness.set_unready("mysql", "away", &one);
    readiness.set_unready("mysql", "refused", &other);
    readiness.set_ready("mysql", &one);
    EXPECT_FALSE(readiness.ready());
    EXPECT_EQ(readiness.report(), "mysql: refused\n");
    readiness.set_ready("mysql", &other);
    EXPECT_TRUE(readiness.ready());
}

TEST(Readiness, ADegradedConcernIsSaidAndStillServes) {
    Readiness readiness;
    readiness.set_ready("producer");
    readiness.set_degraded("kafka", "no broker answers");
    EXPECT_TRUE(readiness.ready());
    EXPECT_FALSE(readiness.concerns().at("kafka"));
    EXPECT_EQ(readiness.report(), "kafka: degraded: no broker answers\nproducer: ok\n");
    readiness.set_unready("kafka", "the topic is missing");
    EXPECT_FALSE(readiness.ready());
    readiness.set_ready("kafka");
    EXPECT_TRUE(readiness.ready() && readiness.concerns().at("kafka"));
}

TEST(Readiness, OneUnreadyVoiceCountsMoreThanDegradedOnes) {
    Readiness readiness;
    const int one = 1;
    const int other = 2;
    readiness.set_unready("kafka", "refused", &other);
    readiness.set_degraded("kafka", "away", &one);
    EXPECT_FALSE(readiness.ready());
    EXPECT_EQ(readiness.report(), "kafka: refused\n");
}

TEST(Readiness, AnEmptyReasonIsStillOne) {
    Readiness readiness;
    readiness.set_unready("drain", "");
    EXPECT_FALSE(readiness.ready());
    EXPECT_EQ(readiness.report(), "drain: not ready\n");
}

}  // namespace
}  // namespace sluice
