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

TEST(Readiness, AnEmptyReasonIsStillOne) {
    Readiness readiness;
    readiness.set_unready("drain", "");
    EXPECT_FALSE(readiness.ready());
    EXPECT_EQ(readiness.report(), "drain: not ready\n");
}

}  // namespace
}  // namespace sluice
