#include "consumer/effects/set_based/change_effect.hpp"

#include <algorithm>
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

bool ChangeEffect::may_be_stale() const noexcept {
    return std::ranges::any_of(
        changes_, [](const Change& change) { return std::holds_alternative<Upsert>(change.what); });
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
    for (const auto& change : changes_) {
        const auto made = make_change(change, event, connection);
        if (made.outcome == Outcome::done) continue;
        auto verdict = ended(change, made, event);
        const bool is_after_changes = made.outcome == Outcome::ignore && &change != &changes_.front();
        if (is_after_changes) verdict = {};
        verdict.is_stale = made.is_stale;
        return verdict;
    }
    return {};
}

}  // namespace sluice::effects
