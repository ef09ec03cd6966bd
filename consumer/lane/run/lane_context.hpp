#pragma once

#include "common/clock.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/apply/dead_letter_budget.hpp"
#include "consumer/apply/event.hpp"
#include "consumer/database/server_moves.hpp"
#include "consumer/publish/publisher.hpp"
#include "consumer/telemetry/decision.hpp"

namespace sluice::consumer {

/// What the steps in a lane share, in both roles. All outlive their user.
struct LaneContext {
    const Rules& rules;
    Decisions& decisions;
    Publisher& publisher;
    DeadLetterBudget& budget;
    Readiness& readiness;
    const Clock& clock;
    Milliseconds effects_grace{std::chrono::minutes{10}};  ///< see lane::on_missing_effect
    store::StatementWatch* watch = nullptr;                ///< see EffectLimits
    ServerMoves* moves = nullptr;                          ///< null where no session is opened
};

}  // namespace sluice::consumer
