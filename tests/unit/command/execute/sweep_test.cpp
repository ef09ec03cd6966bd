#include <gtest/gtest.h>

#include "command/sweep/sweeper.hpp"
#include "tests/unit/command/execute/executor_fixture.hpp"

namespace sluice::command {
namespace {

TEST_F(ExecutorTest, SweepingEndsWithWhatIsKept) {
    run(*connection,
        "INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, keep_until)"
        " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
        " SELECT UNHEX(SHA2(i, 256)), '', 'c', 'a', i, UTC_TIMESTAMP(6) + INTERVAL IF(i > 590, 1, -1) HOUR"
        " FROM n");
    EXPECT_EQ(sweep_expired(*connection, 300, {}).value(), 512) << "whole batches";
    EXPECT_EQ(sweep_expired(*connection, 10'000, {}).value(), 78);
    EXPECT_EQ(keys(), 10);
    EXPECT_EQ(sweep_expired(*connection, 10'000, {}).value(), 0);
}

TEST_F(ExecutorTest, SweepingStopsWhenItIsToldTo) {
    run(*connection,
        "INSERT INTO command_key SET key_digest = 'k', fingerprint = '', command = 'c', caller = 'a',"
        " caller_key = 'k', keep_until = '2026-01-01'");
    std::stop_source told;
    told.request_stop();
    EXPECT_EQ(sweep_expired(*connection, 10'000, told.get_token()).value(), 0);
    EXPECT_EQ(keys(), 1);
}

}  // namespace
}  // namespace sluice::command
