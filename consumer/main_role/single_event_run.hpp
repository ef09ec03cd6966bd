#pragma once

#include <span>
#include <string>
#include <string_view>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/apply/lock_patience.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/database/server_moves.hpp"
#include "consumer/lane/run/visit.hpp"
#include "consumer/main_role/backlog.hpp"
#include "consumer/main_role/enter_lane.hpp"
#include "consumer/main_role/in_lane.hpp"
#include "consumer/main_role/transaction.hpp"
#include "consumer/silence/arrivals.hpp"
#include "consumer/telemetry/decision.hpp"

namespace sluice::consumer {

/// A database session as a worker uses it.
struct Session {
    store::Connection& connection;
    const OffsetWriter& writer;
    std::string& trouble;  ///< why the database is unavailable, written by the step that found out
    LockPatience& locks;
};

/// What a worker's steps share. All outlive the worker.
struct WorkerContext {
    const Rules& rules;
    Partitions& partitions;
    Decisions& decisions;
    Publisher& publisher;
    DeadLetterBudget& budget;
    Metrics& metrics;
    Readiness& readiness;
    const Clock& clock;
    ServerMoves& moves;
    Arrivals& arrivals;
    Milliseconds in_place{2000};  ///< for so long a failing event is tried in memory, holding its object
    Milliseconds effects_grace{std::chrono::minutes{10}};
    store::StatementWatch* watch = nullptr;  ///< see EffectLimits

    [[nodiscard]] LaneContext for_lanes() const {
        return {.rules = rules,
                .decisions = decisions,
                .publisher = publisher,
                .budget = budget,
                .readiness = readiness,
                .clock = clock,
                .effects_grace = effects_grace};
    }
};

/// Tells the budget that events were applied, all at once, where that makes a difference.
void report_success(const WorkerContext& context, std::span<const Item* const> items);

/// How one event that ran alone ended.
enum class RunEnd {
    finished,  ///< applied, duplicate, or in its lane; its offset is finished
    kept,      ///< back in the backlog, held: followers may not be taken from this batch
    trouble,   ///< the database is unavailable: the item is back in the backlog, stop
};

/// Runs one event in its own transaction and decides what becomes of it. An event that cannot be applied now
/// waits in MySQL, in its object's lane, when this returns `finished`. One worker's.
class SingleEventRun {
public:
    SingleEventRun(const WorkerContext& context, Random& random)
        : context_{context},
          random_{random},
          transaction_{context.rules, context.partitions, context.clock},
          in_lane_{context.for_lanes(), context.partitions},
          enter_lane_{context.for_lanes()},
          visit_{context.for_lanes()},
          owed_records_{context.for_lanes()} {}

    [[nodiscard]] RunEnd run(Item item, Backlog& backlog, const Session& session);
    /// Of one that has failed already, with others: it is not run once more.
    [[nodiscard]] RunEnd failed(Item item, const Setback& setback, Backlog& backlog, const Session& session);

private:
    /// What is reported of an event when it is finished.
    struct Ending {
        Disposition disposition = Disposition::done;
        std::string_view error_class{};
        std::string_view reason{};
    };

    [[nodiscard]] RunEnd run_in_lane(Item item, Backlog& backlog, const Session& session);
    [[nodiscard]] RunEnd known_already(Item item, Backlog& backlog, const Session& session);

    // What did not succeed (after_failure.cpp).
    [[nodiscard]] RunEnd setback(Item item, const Setback& setback, Backlog& backlog, const Session& session);
    [[nodiscard]] bool may_try_in_place(const Item& item, const Setback& setback) const;
    [[nodiscard]] RunEnd enter(Item item, const lane::Ruling& ruling, const std::string& reason,
                               Backlog& backlog, const Session& session);
    [[nodiscard]] RunEnd enter_undecodable(Item item, const std::string& reason, Backlog& backlog,
                                           const Session& session);
    [[nodiscard]] RunEnd open_entry_alone(Item item, store::DeadLetterKind kind, const std::string& reason,
                                          Backlog& backlog, const Session& session);

    /// Given up at once, before its effects: an operator knows whether it came before under other keys. One
    /// that is known under these is what it always is. Where too many would be given up, the process pauses.
    [[nodiscard]] RunEnd refuse_keys(Item item, Backlog& backlog, const Session& session);

    [[nodiscard]] RunEnd not_written(Item item, std::error_code error, Backlog& backlog,
                                     const Session& session);

    [[nodiscard]] RunEnd set_apart(const Item& item, const std::string& why, Backlog& backlog,
                                   const Session& session);

    // How it ends.
    [[nodiscard]] RunEnd send_owed(Item item, const Ending& ending, bool early_pass, Backlog& backlog,
                                   const Session& session);
    RunEnd finish(const Item& item, const Ending& ending, Backlog& backlog);
    RunEnd finish_said(const Item& item, Backlog& backlog);
    void say(const Ending& ending, const Item& item);
    RunEnd hold(Item item, Disposition disposition, std::string_view reason, Backlog& backlog);
    RunEnd keep_for_now(Item item, Disposition disposition, Backlog& backlog);
    RunEnd contended(Item item, std::string reason, Backlog& backlog, const Session& session);
    RunEnd stop(Item item, std::string why, Backlog& backlog, const Session& session);
    /// One of our own statements failed. With the event alone, three times in the same way while the database
    /// serves others: it is set apart.
    RunEnd database_failed(Item item, std::error_code error, Backlog& backlog, const Session& session);

    WorkerContext context_;
    Random& random_;
    Transaction transaction_;
    InLane in_lane_;
    EnterLane enter_lane_;
    LaneVisit visit_;
    OwedRecords owed_records_;
    OwnFailures own_failures_;
    int contended_in_a_row_ = 0;
};

}  // namespace sluice::consumer
