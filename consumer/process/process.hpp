#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "common/clock.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/apply/dead_letter_budget.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/apply/outbox_bell.hpp"
#include "consumer/database/database_clock.hpp"
#include "consumer/database/server_moves.hpp"
#include "consumer/process/config.hpp"
#include "consumer/publish/publisher.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "consumer/telemetry/decision.hpp"
#include "consumer/telemetry/effect_times.hpp"

namespace sluice::consumer {

/// What the roles of one process share. Outlives them.
struct Process {
    /// Throws config::Refused where the Kafka settings cannot be used.
    Process(const Config& configuration, Log& lines);

    const Config& config;
    Log& log;
    SystemClock clock;
    DatabaseClock database_clock{clock};  ///< of all that lanes do
    ServerMoves server_moves;
    Metrics metrics;
    Readiness readiness;
    trace::Tracer tracer;
    EventSpans spans;
    Decisions decisions;
    EffectHolds holds;
    EffectTimes times;
    OutboxBell bell;
    Rules rules;
    DeadLetterBudget budget;
    store::StatementWatch statement_watch;
    std::unique_ptr<Publisher> publisher;
};

/// A loop that the process runs: the main role reads webhooks, the retry role wakes lanes.
class Role {
public:
    virtual ~Role() = default;
    /// Runs until a stop is asked for (0) or until only a new process can go on (1, said in the log). On its
    /// own thread.
    [[nodiscard]] virtual int run(const std::stop_token& stop) = 0;
    /// For /livez; any thread.
    [[nodiscard]] virtual bool alive() const = 0;
};

/// Runs the roles side by side with one operations port, until a stop signal or until one of them has ended:
/// then all drain. Returns the largest of their results; rethrows what one throws.
[[nodiscard]] int run_roles(Process& process, std::span<const std::unique_ptr<Role>> roles,
                            StopSignal& signal);

}  // namespace sluice::consumer
