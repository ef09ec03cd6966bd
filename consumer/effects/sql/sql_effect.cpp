#include "consumer/effects/sql/sql_effect.hpp"

#include <utility>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/sql/statement_kind.hpp"

namespace sluice::effects {

SqlEffect::SqlEffect(Heading heading, std::vector<SqlStatement> statements)
    : Effect{std::move(heading)}, statements_{std::move(statements)} {}

std::vector<std::string> SqlEffect::tables() const {
    std::vector<std::string> names;
    for (const auto& statement : statements_) names.push_back(changed_table(statement.change.text));
    return names;
}

Result<void> SqlEffect::check(store::Connection& connection, config::Problems& problems,
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
    bool all_ignored = true;
    for (const auto& statement : statements_) {
        auto verdict = run_one(statement, event, connection);
        if (verdict.outcome != Outcome::done && verdict.outcome != Outcome::ignore) return verdict;
        all_ignored = all_ignored && verdict.outcome == Outcome::ignore;
    }
    return {all_ignored ? Outcome::ignore : Outcome::done, {}, {}, {}};
}

Verdict SqlEffect::run_one(const SqlStatement& statement, const EventValues& event,
                           store::Connection& connection) const {
    const auto matched = connection.execute(statement.change.text, statement.change.bound(event));
    const auto outcome = matched ? statement.rows.of(*matched) : std::nullopt;
    if (outcome == Outcome::done || outcome == Outcome::ignore) return {*outcome, {}, {}, {}};

    const auto where = "statement at " + statement.place.text();
    if (!matched) {
        return {outcome_of(matched.error()), matched.error(), name(),
                where + ": " + matched.error().message()};
    }
    const auto counted = where + " matched " + std::to_string(*matched) + " rows";
    if (outcome) return {*outcome, {}, name(), counted};
    return {Outcome::park, make_error_code(errc::unlisted_row_count), name(),
            counted + ", which rows does not list"};
}

}  // namespace sluice::effects
