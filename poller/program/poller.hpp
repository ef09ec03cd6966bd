#pragma once

#include <map>
#include <memory>
#include <vector>

#include "common/clock.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/outlet/outlet.hpp"
#include "poller/config/config.hpp"
#include "poller/reconcile/regular.hpp"
#include "poller/run/account.hpp"
#include "poller/run/source_walk.hpp"

namespace sluice::poller {

/// The program: one thread for each polled source, and one for its regular reconciliation, the way to Kafka
/// that they share, and the operations port.
class Poller {
public:
    /// Both outlive it. Throws as Outlet does.
    Poller(const Config& config, Log& log);

    /// Until a stop signal; with `caught_up` also until each source's walk has ended. 0; 1 where a walk ended
    /// in trouble.
    [[nodiscard]] int run(StopSignal& signal, SourceWalk::Until until);

private:
    [[nodiscard]] Account& account_of(const PollSettings& poll);
    [[nodiscard]] bool alive() const;

    const Config& config_;
    Log& log_;
    SystemClock clock_;
    Metrics metrics_;
    Readiness readiness_;
    outlet::Outlet outlet_;
    Surroundings around_;
    std::map<std::string, std::unique_ptr<Account>> accounts_;  // by the key's name
    std::vector<std::unique_ptr<SourceWalk>> walks_;
    ReconcileSurroundings around_reconciling_;
    std::vector<std::unique_ptr<RegularReconciliation>> reconciling_;
};

}  // namespace sluice::poller
