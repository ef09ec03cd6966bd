#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/lane/lane_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// What an event went through after it first failed. Empty for one that never did.
struct Trouble {
    std::optional<store::LaneSummary> lane;          ///< of its object, while it is in there
    std::optional<store::LaneEventRow> row;          ///< its own
    std::vector<store::DeadLetterRow> dead_letters;  ///< its deaths and quarantines, by id
    std::vector<store::ActionRow> actions;

    [[nodiscard]] bool is_empty() const { return !row && dead_letters.empty() && actions.empty(); }
};

struct HistoryLine {
    WallTime at{};
    std::string what;
};

/// Deaths, what operators did and how it ended, by time. Pure; what errors say is masked.
[[nodiscard]] std::vector<HistoryLine> history_of(const Trouble& trouble);

[[nodiscard]] Json to_json(const store::ActionRow& action);
[[nodiscard]] Json to_json(const store::LaneEventRow& row);
[[nodiscard]] Json to_json(const store::LaneSummary& lane);
[[nodiscard]] Json to_json(const Trouble& trouble);
/// Lines and a table; empty for an event that never failed.
[[nodiscard]] std::string to_people(const Trouble& trouble, WallTime now);

/// "retry, tried 3 times, due 2026-11-22 12:04:09"
[[nodiscard]] std::string standing_text(const store::LaneEventRow& row);

}  // namespace sluice::ctl
