#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/effect/parameters.hpp"
#include "consumer/effects/set_based/change.hpp"

namespace sluice::effects {

/// The set-based kinds: what shall happen to rows, not how. One or more of insert, add and set, in file
/// order.
class ChangeEffect final : public Effect {
public:
    ChangeEffect(Heading heading, std::vector<Parameter> let, std::vector<Change> changes);

    [[nodiscard]] std::vector<std::string> tables() const override;
    [[nodiscard]] std::span<const Parameter> let() const noexcept override { return let_; }

    /// Prepares a statement for each change, then compares the table with what the change needs.
    [[nodiscard]] Result<void> check(store::Connection& connection, config::Problems& problems,
                                     std::vector<Lack>& missing) const override;

    /// One statement after the other for this event alone: what the set-based way must come to as well.
    [[nodiscard]] Verdict run(const EventView& event, store::Connection& connection) const override;

    [[nodiscard]] const ChangeEffect* set_based() const noexcept override { return this; }

    [[nodiscard]] const std::vector<Change>& changes() const noexcept { return changes_; }

    /// Appends the values of `let` to `values`; a verdict when one cannot be had. Views are of `body`.
    [[nodiscard]] std::optional<Verdict> evaluate(const EventBody& body,
                                                  std::vector<store::Datum>& values) const;

    /// What ended a change of this effect, as an event's verdict.
    [[nodiscard]] Verdict ended(const Change& change, Outcome outcome, std::error_code error,
                                std::string_view why) const;

private:
    std::vector<Parameter> let_;
    std::vector<Change> changes_;
};

/// Reads `let`, `insert`, `add` and `set` of an effect's section, as read_sql_effect does for `sql`.
[[nodiscard]] std::unique_ptr<const Effect> read_change_effect(Heading heading, config::Section& section);

}  // namespace sluice::effects
