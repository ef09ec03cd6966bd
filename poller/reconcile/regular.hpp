#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "poller/reconcile/reconciliation.hpp"
#include "poller/telemetry/reconcile_metrics.hpp"

namespace sluice::poller {

/// What the regular reconciliations of a process share. All outlive them.
struct ReconcileSurroundings {
    const config::MysqlSettings& mysql;
    std::chrono::days inbox_keep;
    outlet::Outlet& outlet;
    Log& log;
    Metrics& metrics;
    const Clock& clock;
};

/// Compares a source's list with the inbox every so often (`poll.reconcile`), over windows that overlap,
/// while this process walks the source. It takes its requests from the walk's budget. MySQL says when the
/// last one ended, so that a new holder of the lease goes on. One thread's.
class RegularReconciliation {
public:
    /// `poll` has `reconcile`. `leads`: whether this process walks the source; any thread. All outlive it.
    RegularReconciliation(const PollSettings& poll, Account& account, const ReconcileSurroundings& around,
                          std::function<bool()> leads);

    /// Until a stop is asked for; true.
    [[nodiscard]] bool run(const std::stop_token& stop);

private:
    void turn(const std::stop_token& stop);
    void learn();
    void compare(const std::stop_token& stop);
    [[nodiscard]] CutWindow window(Books& books) const;
    void ended(const Report& report);
    void failed(const std::string& why);

    const PollSettings& poll_;
    Account& account_;
    const ReconcileSurroundings& around_;
    std::function<bool()> leads_;
    WalkMetrics requests_;
    ReconcileMetrics metrics_;
    Random random_;
    std::optional<SteadyTime> next_;  // nullopt: to be learned
    SteadyTime ended_{};              // the last one; of none, when this process began to lead
    int failures_ = 0;
    std::int64_t injected_before_ = 0;  // by runs that broke off since the last one that ended
};

}  // namespace sluice::poller
