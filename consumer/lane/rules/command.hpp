#pragma once

#include "consumer/lane/rules/lane.hpp"

/// What operators may do to an unfinished event. A command is a record; the retry role carries it out in one
/// transaction with its row in `operator_action`, whose unique id makes a redelivered one a mere touch
/// (next_turn.hpp). It changes one row and arms the lane for now: the pass that follows does the work, so
/// that a later event never runs because an operator asked for it out of turn.
namespace sluice::lane {

enum class Action {
    retry,  ///< run again, with effects matched again
    skip,   ///< finish without effects
    edit,   ///< run again with another body
};

struct Reply {
    enum class Kind {
        run_again,  ///< write `row`; its DLQ record, if still owed, is owed no more
        skipped,    ///< delete the row; the inbox row is skipped
        refused,    ///< nothing changes; `why` goes to operator_action
    };
    Kind kind = Kind::refused;
    Row row;
    Wakeup wakeup;         ///< the lane's own row, unless refused
    std::string_view why;  ///< closed set: finished, parked
};

/// `row`: the event's row, wherever it stands in the lane; nullopt: the event is finished. Attempts and
/// horizon start again.
[[nodiscard]] Reply obey(Action action, const std::optional<Row>& row, const Wakeup& wakeup, WallTime now);

[[nodiscard]] std::string_view name_of(Action action) noexcept;

}  // namespace sluice::lane
