#include "consumer/effects/sql/sql_effect.hpp"

#include <utility>

#include "common/error.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/sql/statement_kind.hpp"

namespace sluice::effects {

SqlEffect::SqlEffect(Heading heading, std::vector<Parameter> let, std::vector<SqlStatement> statements)
    : Effect{std::move(heading)}, let_{std::move(let)}, statements_{std::move(statements)} {}

std::vector<std::string> SqlEffect::tables() const {
    std::vector<std::string> names;
    for (const auto& statement : statements_) names.push_back(changed_table(statement.text));
    return names;
}

Result<void> SqlEffect::check(store::Connection& connection, config::Problems& problems,
                              std::vector<Lack>& missing) const {
    for (const auto& statement : statements_) {
        const auto prepared = connection.check(statement.text);
        if (!prepared && !note_refused(name(), statement.place, connection.last_error(), problems, missing))
            return Failure{prepared.error()};
        if (!prepared) continue;
        const auto asked =
            note_rollback_gap(name(), statement.place, changed_table(statement.text), connection, problems);
        if (!asked) return Failure{asked.error()};
    }
    return {};
}

Verdict SqlEffect::run(const EventView& event, store::Connection& connection) const {
    const auto values = evaluate(event);
    if (!values) return values.error();
    bool all_ignored = true;
    for (const auto& statement : statements_) {
        auto verdict = run_one(statement, *values, event, connection);
        if (verdict.outcome != Outcome::done && verdict.outcome != Outcome::ignore) return verdict;
        all_ignored = all_ignored && verdict.outcome == Outcome::ignore;
    }
    return {all_ignored ? Outcome::ignore : Outcome::done, {}, {}, {}};
}

std::expected<std::vector<store::Datum>, Verdict> SqlEffect::evaluate(const EventView& event) const {
    std::vector<store::Datum> values;
    values.reserve(let_.size());
    for (const auto& parameter : let_) {
        const auto value = value_of(parameter, event.body);
        if (!value) {
            return std::unexpected(Verdict{Outcome::park, value.error(), name(),
                                           why_no_value(parameter, value.error(), event.body)});
        }
        values.push_back(*value);
    }
    return values;
}

Verdict SqlEffect::run_one(const SqlStatement& statement, const std::vector<store::Datum>& values,
                           const EventView& event, store::Connection& connection) const {
    std::vector<store::Datum> bound;
    bound.reserve(statement.slots.size());
    for (const auto& slot : statement.slots) {
        bound.push_back(slot.built_in.empty() ? values.at(slot.parameter)
                                              : built_in_value(slot.built_in, event.headers));
    }
    const auto matched = connection.execute(statement.text, bound);
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
