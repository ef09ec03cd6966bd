#include "command/program/book_program.hpp"

#include "common/failpoint.hpp"
#include "common/operations/drain_limit.hpp"
#include "common/telemetry/process_metrics.hpp"

namespace sluice::command {
namespace {

constexpr Milliseconds between_looks_for_a_stop{1000};
constexpr Milliseconds drained_within{30'000};  // a pod has 45 s

}  // namespace

int run_booking(const config::OperationsSettings& operations, const MakeBooker& make, Log& log,
                StopSignal& signal) {
    const SystemClock clock;
    Metrics metrics;
    Readiness readiness;
    auto booker = make({.log = log, .metrics = metrics, .readiness = readiness, .clock = clock});
    const OperationsServer server{
        {.host = operations.address.host, .port = operations.address.port, .key = operations.key},
        metrics,
        readiness,
        [] { return true; }};
    export_process(metrics, log, readiness, "book");
    log.info("booking", {{"operations", std::int64_t{server.port()}}});
    while (signal.wait(between_looks_for_a_stop) != StopSignal::Event::stop) {
    }
    log.info("draining", {});
    readiness.set_unready("drain", "the process is stopping");
    const DrainLimit limit{drained_within / HURRY(), log, "30 s"};
    booker.reset();
    log.info("drained", {{"clean", true}});
    return 0;
}

}  // namespace sluice::command
