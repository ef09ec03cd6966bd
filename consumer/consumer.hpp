#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "common/operations_server.hpp"
#include "common/stop_signal.hpp"
#include "consumer/config.hpp"
#include "consumer/decision.hpp"
#include "consumer/housekeeping.hpp"
#include "consumer/poll_loop.hpp"
#include "consumer/retry/policy.hpp"

namespace sluice::consumer {

/// The program between its start and its end, in the order that drain undoes.
///
/// Start: operations, database, topic, workers, group. Drain (SIGTERM): stop polling, each worker finishes
/// its transaction and claims, claimed offsets are stored and committed, the group is left, the producer
/// goes.
class Consumer {
public:
    Consumer(const Config& config, Log& log, StopSignal& signal);

    /// Runs until a stop signal (0) or until only a new process can go on (1, said in the log).
    [[nodiscard]] int run();

private:
    [[nodiscard]] bool wait_or_stop(Milliseconds time);
    void start_workers(const kafka::TopicFacts& facts);
    [[nodiscard]] int serve(const Housekeeping& housekeeping);
    void drain();
    [[nodiscard]] bool alive() const;

    const Config& config_;
    Log& log_;
    StopSignal& signal_;
    SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    OperationsServer operations_;
    Decisions decisions_;
    Partitions partitions_;
    Rules rules_;
    RetryPolicy policy_;
    DeadLetterRoute dead_letters_;
    std::unique_ptr<Publisher> publisher_;
    PollLoop poll_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<bool> polling_ = false;
};

}  // namespace sluice::consumer
