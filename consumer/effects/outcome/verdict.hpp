#pragma once

#include <string>
#include <system_error>

#include "consumer/effects/outcome/outcome.hpp"

namespace sluice::effects {

/// How a run ended, and why, for inbox, log and DLQ.
struct Verdict {
    Outcome outcome = Outcome::done;
    std::error_code error;  ///< set when a statement or a parameter failed; then `outcome` is park or retry
    std::string effect;     ///< name of the effect that decided; empty when all were done
    std::string reason;     ///< one sentence; data of the event only where a rule puts it there
    std::string case_class{};   ///< of a park that a rule wants a person to decide; empty: no case
    bool quotes_event = false;  ///< `reason` has data of the event: for operators, not for /readyz
    bool is_stale = false;      ///< an upsert was ignored: its row was as new as the event, or newer
};

}  // namespace sluice::effects
