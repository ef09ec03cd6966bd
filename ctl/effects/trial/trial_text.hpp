#pragma once

#include <string>

#include "ctl/cli/json.hpp"
#include "ctl/effects/trial/trial.hpp"
#include "ctl/effects/trial/trial_event.hpp"

/// How a trial is shown, masked. Pure.
namespace sluice::ctl {

[[nodiscard]] Json to_json(const TrialEvent& event, const Trial& trial);
/// `with_body`: the body too, masked as `dlq show` has it.
[[nodiscard]] std::string to_people(const TrialEvent& event, const Trial& trial, bool with_body);

}  // namespace sluice::ctl
