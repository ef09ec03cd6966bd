#pragma once

#include <string>
#include <vector>

#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/set_based/one_by_one.hpp"

namespace sluice::effects {

/// The set-based kinds: what shall happen to rows, not how. One or more of insert, add, set and
/// upsert, in file order.
class ChangeEffect final : public Effect {
public:
    ChangeEffect(Heading heading, std::vector<Change> changes);

    [[nodiscard]] std::vector<std::string> tables() const override;

    [[nodiscard]] const ChangeEffect* set_based() const noexcept override {
        return decides() ? nullptr : this;
    }

    [[nodiscard]] bool may_be_stale() const noexcept override;

    [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }

    /// What ended a change of this effect, as an event's verdict.
    [[nodiscard]] Verdict ended(const Change& change, const Made& made, const EventValues& event) const;

private:
    /// Prepares a statement for each change, then compares the table with what the change needs.
    [[nodiscard]] Result<void> check_statements(store::Connection& connection, config::Problems& problems,
                                                std::vector<Lack>& missing) const override;
    /// For this event alone: what the set-based way must come to as well.
    [[nodiscard]] Verdict apply(const EventValues& event, store::Connection& connection) const override;

    std::vector<Change> changes_;
};

}  // namespace sluice::effects
