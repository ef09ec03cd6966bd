#include "consumer/effects/set_based/change_effect.hpp"

#include <utility>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/set_based/one_by_one.hpp"

namespace sluice::effects {

ChangeEffect::ChangeEffect(Heading heading, std::vector<Change> changes)
    : Effect{std::move(heading)}, changes_{std::move(changes)} {}

std::vector<std::string> ChangeEffect::tables() const {
    std::vector<std::string> names;
    for (const auto& change : changes_) names.push_back(change.table);
    return names;
}

Verdict ChangeEffect::ended(const Change& change, const Made& made, const EventValues& event) const {
    Verdict verdict{made.outcome, made.error, name(),
                    std::string{change.kind()} + " " + change.table + ": " + made.why};
    if (made.ending == nullptr) return verdict;
    verdict.case_class = made.ending->case_class;
    if (made.ending->reason.empty()) return verdict;
    verdict.reason = made.ending->reason.text(event);
    verdict.quotes_event = true;
    return verdict;
}

Verdict ChangeEffect::apply(const EventValues& event, store::Connection& connection) const {
    bool all_ignored = true;
    for (const auto& change : changes_) {
        const auto made = make_change(change, event, connection);
        if (made.outcome != Outcome::done && made.outcome != Outcome::ignore) {
            return ended(change, made, event);
        }
        all_ignored = all_ignored && made.outcome == Outcome::ignore;
    }
    return {all_ignored ? Outcome::ignore : Outcome::done, {}, {}, {}};
}

}  // namespace sluice::effects
