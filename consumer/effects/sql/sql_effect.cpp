#include "consumer/effects/sql/sql_effect.hpp"

#include <utility>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/effect/statement_kind.hpp"

namespace sluice::effects {

SqlEffect::SqlEffect(Heading heading, std::vector<SqlStatement> statements)
    : Effect{std::move(heading)}, statements_{std::move(statements)} {}

std::vector<std::string> SqlEffect::tables() const {
    std::vector<std::string> names;
    for (const auto& statement : statements_) names.push_back(changed_table(statement.change.text));
    return names;
}

Result<void> SqlEffect::check_statements(store::Connection& connection, config::Problems& problems,
                                         std::vector<Lack>& missing) const {
    for (const auto& statement : statements_) {
        const auto prepared = connection.check(statement.change.text);
        if (!prepared && !note_refused(name(), statement.place, connection.last_error(), problems, missing))
            return Failure{prepared.error()};
        if (!prepared) continue;
        const auto asked = note_rollback_gap(name(), statement.place, changed_table(statement.change.text),
                                             connection, problems);
        if (!asked) return Failure{asked.error()};
    }
    return {};
}

Verdict SqlEffect::apply(const EventValues& event, store::Connection& connection) const {
    for (std::size_t i = 0; i < statements_.size(); ++i) {
        auto verdict = run_one(i, event, connection);
        if (verdict.outcome == Outcome::done) continue;
        const bool is_after_changes = verdict.outcome == Outcome::ignore && i > 0;
        return is_after_changes ? Verdict{} : std::move(verdict);
    }
    return {};
}

Verdict SqlEffect::run_one(std::size_t number, const EventValues& event,
                           store::Connection& connection) const {
    const SqlStatement& statement = statements_[number];
    const auto matched = connection.execute(statement.change.text, statement.change.bound(event));
    const Ending* ending = matched ? statement.rows.of(*matched) : nullptr;
    if (ending != nullptr && (ending->outcome == Outcome::done || ending->outcome == Outcome::ignore))
        return {ending->outcome, {}, {}, {}};

    const auto which =
        "statement " + std::to_string(number + 1) + ", on " + changed_table(statement.change.text) + ",";
    if (!matched) {
        return {outcome_of(matched.error()), matched.error(), name(),
                which + " failed: " + matched.error().message()};
    }
    const auto counted = which + " matched " + std::to_string(*matched) + " rows";
    if (ending == nullptr)
        return {Outcome::park, make_error_code(errc::unlisted_row_count), name(),
                counted + ", which rows does not list"};
    return {ending->outcome,
            {},
            name(),
            ending->reason.empty() ? counted : ending->reason.text(event),
            ending->case_class,
            !ending->reason.empty()};
}

}  // namespace sluice::effects
