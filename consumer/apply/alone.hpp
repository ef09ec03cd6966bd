#pragma once

#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/metrics.hpp"
#include "common/readiness.hpp"
#include "consumer/apply/transaction.hpp"
#include "consumer/dead_letter/letter.hpp"
#include "consumer/decision.hpp"
#include "consumer/lane/backlog.hpp"
#include "consumer/retry/policy.hpp"

namespace sluice::consumer {

/// A database session as a worker uses it.
struct Session {
    store::Connection& connection;
    const ClaimantName& claimant;
    std::string& trouble;  ///< why the database serves nobody, written by the step that found out
};

/// What a worker's steps share. All outlive the worker.
struct Toolbox {
    const Rules& rules;
    Partitions& partitions;
    Decisions& decisions;
    Publisher& publisher;
    const DeadLetterRoute& dead_letters;
    Metrics& metrics;
    Readiness& readiness;
    const RetryPolicy& policy;
    const Clock& clock;
};

/// How one event that ran alone ended.
enum class Settled {
    finished,  ///< applied, duplicate or dead-lettered; its offset is finished
    kept,      ///< back in the backlog: held or set aside; followers may not be taken from this batch
    trouble,   ///< the database serves nobody: the item is back in the backlog, stop
};

/// Runs one event in a transaction of its own and decides what becomes of it. One worker's.
class Alone {
public:
    Alone(const Toolbox& tools, Random& random)
        : tools_{tools}, random_{random}, transaction_{tools.rules, tools.partitions, tools.clock} {}

    [[nodiscard]] Settled run(Item item, Backlog& backlog, const Session& session);

private:
    [[nodiscard]] Settled known_already(Item item, Backlog& backlog, const Session& session);
    [[nodiscard]] Settled setback(Item item, const Setback& setback, Backlog& backlog,
                                  const Session& session);
    [[nodiscard]] Settled bury(Item item, std::string_view error_class, std::string reason, Backlog& backlog,
                               const Session& session);
    [[nodiscard]] Settled bury_without_row(Item item, std::string_view error_class, std::string reason,
                                           Backlog& backlog);
    [[nodiscard]] Settled hand_over(Item item, std::string_view error_class, const std::string& reason,
                                    Backlog& backlog, const Session* session);
    [[nodiscard]] Result<void> insert_dead(Item& item, std::string_view error_class,
                                           const std::string& reason, store::Connection& connection);

    Settled finish(const Item& item, Fate fate, Backlog& backlog, std::string_view error_class = {},
                   std::string_view reason = {});
    Settled hold(Item item, Fate fate, std::string_view reason, Backlog& backlog);
    Settled contended(Item item, std::string reason, Backlog& backlog, const Session& session);
    Settled stop(Item item, std::string why, Backlog& backlog, const Session& session);
    Settled database_failed(Item item, std::error_code error, Backlog& backlog, const Session& session);

    Toolbox tools_;
    Random& random_;
    Transaction transaction_;
    int contended_in_a_row_ = 0;
    Backoff backoff_{Milliseconds{50}, Milliseconds{5000}};
};

}  // namespace sluice::consumer
