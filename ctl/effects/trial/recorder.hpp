#pragma once

#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "consumer/effects/effect/timing.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/effects/trial/trial.hpp"

namespace sluice::ctl {

/// Writes down what a connection runs, by effect. One thread's.
class Recorder final : public effects::Timing, public store::StatementObserver {
public:
    /// Both outlive it.
    Recorder(store::Connection& connection, const Clock& clock) : connection_{connection}, clock_{clock} {}

    /// From now on into `effects`, of those that may be run; what came before is forgotten.
    void start(std::vector<TrialEffect>& effects);

    [[nodiscard]] SteadyTime now() const override { return clock_.steady(); }
    void took(const effects::Effect& effect, const effects::Verdict& verdict,
              SteadyTime::duration time) override;
    void ran(const store::RanStatement& statement) override;

private:
    store::Connection& connection_;
    const Clock& clock_;
    std::vector<TrialEffect>* effects_ = nullptr;
    std::vector<TrialStatement> statements_;  // of the effect that runs
};

/// A value as it goes to the server or comes from it.
[[nodiscard]] Json json_of(const store::Datum& value);
[[nodiscard]] Json json_of(const store::OwnedDatum& value);

}  // namespace sluice::ctl
