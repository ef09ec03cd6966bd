#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/store/dead_letter/dead_letter_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// How far a run is: what this invocation sent, and what the retry role made of all of the run.
struct Progress {
    std::int64_t total = 0;                 ///< entries that this invocation is to send
    std::int64_t sent = 0;                  ///< acknowledged by the broker
    std::int64_t before = 0;                ///< answered under an earlier invocation of the run
    std::int64_t left_out = 0;              ///< could not be asked for
    std::int64_t untried = 0;               ///< carried out, and not tried since; known once all is answered
    store::Moving behind;                   ///< what is about to run behind the run's own events
    store::RunProgress answers;             ///< as operator_action has it
    std::vector<store::Refusals> refusals;  ///< by why, at the end
    std::vector<store::DeadLetterCount> opened_behind;  ///< entries that came up behind them, at the end

    /// Nothing was refused, left out or has died again.
    [[nodiscard]] bool went_well() const noexcept {
        return answers.refused == 0 && answers.dead_again == 0 && left_out == 0;
    }
};

/// "sent 120 of 1000; carried out 80, refused 2, dead again 1". Pure.
[[nodiscard]] std::string progress_text(const Progress& progress);
/// "refused: 2 finished, 1 unverifiable. `help` says what each means\n"; empty when nothing was.
[[nodiscard]] std::string refusals_text(const Progress& progress, std::string_view help);
/// "behind them, 27 more entries opened: 27 case paid_twice\n"; empty when none has.
[[nodiscard]] std::string behind_text(const Progress& progress);
[[nodiscard]] Json to_json(const Progress& progress);

}  // namespace sluice::ctl
