#include "common/telemetry/process_metrics.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "common/version.hpp"

namespace sluice {
namespace {

/// Everything written is lost: the queue's lines count as dropped.
struct BrokenOutput {
    BrokenOutput() : descriptor{::open("/dev/full", O_WRONLY)} {}
    ~BrokenOutput() { ::close(descriptor); }
    int descriptor;
};

TEST(ProcessMetrics, SayVersionAndRole) {
    Metrics metrics;
    const Log log{{.program = "test"}};
    const Readiness readiness;
    export_process(metrics, log, readiness, "retry");
    EXPECT_TRUE(metrics.exposition().contains("sluice_build_info{role=\"retry\",version=\"" +
                                              std::string{version} + "\"} 1\n"))
        << metrics.exposition();
}

TEST(ProcessMetrics, FollowEachConcernOfReadiness) {
    Metrics metrics;
    const Log log{{.program = "test"}};
    Readiness readiness;
    export_process(metrics, log, readiness, "main");
    readiness.set_ready("kafka");
    readiness.set_unready("mysql", "gone");
    EXPECT_TRUE(metrics.exposition().contains("sluice_ready{concern=\"kafka\"} 1\n"));
    EXPECT_TRUE(metrics.exposition().contains("sluice_ready{concern=\"mysql\"} 0\n"));
    readiness.set_unready("kafka", "no topic");
    readiness.set_ready("mysql");
    EXPECT_TRUE(metrics.exposition().contains("sluice_ready{concern=\"kafka\"} 0\n"));
    EXPECT_TRUE(metrics.exposition().contains("sluice_ready{concern=\"mysql\"} 1\n"));
}

TEST(ProcessMetrics, CountLinesThatWereDropped) {
    Metrics metrics;
    const Readiness readiness;
    const BrokenOutput output;
    Log log{{.program = "test", .descriptor = output.descriptor, .capacity = 2}};
    export_process(metrics, log, readiness, "main");
    EXPECT_TRUE(metrics.exposition().contains("sluice_log_lines_dropped_total 0\n"))
        << "there from the start";
    for (int i = 0; i < 100; ++i) log.write_routine("applied", {});
    EXPECT_FALSE(metrics.exposition().contains("sluice_log_lines_dropped_total 0\n"));
    const auto known = log.dropped();
    EXPECT_GE(metrics.counter("sluice_log_lines_dropped_total", "").Value() + 2, static_cast<double>(known))
        << "all but those that were dropped since";
}

}  // namespace
}  // namespace sluice
