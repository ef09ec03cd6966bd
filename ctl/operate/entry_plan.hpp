#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/operate/operator_request.hpp"

namespace sluice::ctl {

/// The command of one entry; the same id whenever the run is resumed.
[[nodiscard]] command::Command command_for(const OperatorRequest& request,
                                           const store::DeadLetterRow& dead_letter, WallTime now);

/// Why this cannot be done to that entry, as a clause; nullopt: it can be asked for.
[[nodiscard]] std::optional<std::string> objection(store::ActionKind action,
                                                   const store::DeadLetterRow& dead_letter);

/// What would be sent. Pure but for what was read before.
struct EntryPlan {
    store::ActionKind action = store::ActionKind::retry;
    std::string run;                             ///< as text
    std::vector<store::DeadLetterCount> counts;  ///< of the entries, most first
    std::vector<store::DeadLetterRow> sample;    ///< the first of them
    std::int64_t waiting_behind = 0;             ///< other unfinished events of their objects
    bool with_behind = false;                    ///< what opens behind them is acted upon too
};

[[nodiscard]] std::string to_people(const EntryPlan& plan, WallTime now);
[[nodiscard]] Json to_json(const EntryPlan& plan);

/// Counts of entries that were named one by one, as count_dead_letters gives them.
[[nodiscard]] std::vector<store::DeadLetterCount> counts_of(
    const std::vector<store::DeadLetterRow>& dead_letters);

}  // namespace sluice::ctl
