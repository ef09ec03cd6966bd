#include "consumer/effects/effect/decide.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "common/error.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/effect/statement_kind.hpp"

namespace sluice::effects {
namespace {

constexpr std::size_t longest_reason = 512;

Verdict failure(const std::string& effect, std::string reason) {
    return {
        Outcome::park, make_error_code(errc::unlisted_row_count), effect, "decide " + std::move(reason), {},
        true};
}

Verdict verdict_of(const Ending& ending, const std::string& effect, std::string reason) {
    if (ending.outcome == Outcome::done || ending.outcome == Outcome::ignore)
        return {ending.outcome, {}, {}, {}};
    return {ending.outcome, {}, effect, std::move(reason), ending.case_class, true};
}

/// Of the second column; nullopt where there is none, or nothing in it.
std::optional<std::string> reason_in(const store::Row& row) {
    if (row.size() < 2) return std::nullopt;
    const auto* text = std::get_if<std::string>(&row[1]);
    if (text == nullptr || text->empty()) return std::nullopt;
    return json_escaped(*text, longest_reason);
}

/// The classes that a SELECT names as they are: 'park:CLASS'.
void note_cases(std::string_view select, const config::Place& place, NameScope& names) {
    constexpr std::string_view prefix = "'park:";
    for (auto at = select.find(prefix); at != select.npos; at = select.find(prefix, at)) {
        at += prefix.size();
        const auto name = select.substr(at, std::min(select.find('\'', at), select.size()) - at);
        if (is_case_class(name)) names.note_case(std::string{name}, place);
    }
}

}  // namespace

Verdict decision_of(const std::vector<store::Row>& rows, const Ending& none, const std::string& effect,
                    const EventValues& event) {
    if (rows.empty())
        return verdict_of(none, effect,
                          none.reason.empty() ? "decide found no row" : none.reason.text(event));
    if (rows.size() > 1) return failure(effect, "found " + std::to_string(rows.size()) + " rows, not one");
    const store::Row& row = rows.front();
    if (row.size() > 2) return failure(effect, "gives more than two columns");
    if (std::holds_alternative<std::nullptr_t>(row.front()))
        return failure(effect, "says NULL, which is no outcome: its CASE may need an ELSE");
    const auto* word = std::get_if<std::string>(&row.front());
    const auto ending = ending_from(word == nullptr ? "" : *word);
    if (!ending) return failure(effect, "says what is no outcome: " + json_escaped(ending.error()));
    return verdict_of(*ending, effect, reason_in(row).value_or("decide says " + *word));
}

Decide Decide::read(config::Section section, NameScope& names) {
    Decide decide;
    const auto select = section.required_text("select");
    const auto value = section.value("select");
    decide.place_ = value ? value->place() : section.place();
    if (const auto none = section.value("none"))
        decide.none_ = read_ending(
            *none, {Outcome::done, Outcome::ignore, Outcome::defer, Outcome::retry, Outcome::park}, names);
    if (select.empty()) return decide;
    note_cases(select, decide.place_, names);
    const auto single = single_select(select);
    if (!single) value->problem(single.error());
    auto prepared = single ? read_prepared(*single, names, *value) : std::nullopt;
    if (prepared) decide.select_ = std::move(*prepared);
    return decide;
}

Result<void> Decide::check(const std::string& effect, store::Connection& connection,
                           config::Problems& problems, std::vector<Lack>& missing) const {
    const auto prepared = connection.check(select_.text);
    if (!prepared && !note_refused(effect, place_, connection.last_error(), problems, missing))
        return Failure{prepared.error()};
    return {};
}

Verdict Decide::run(const std::string& effect, const EventValues& event,
                    store::Connection& connection) const {
    const auto rows = connection.query(select_.text, select_.bound(event));
    if (rows) return decision_of(*rows, none_, effect, event);
    return {outcome_of(rows.error()), rows.error(), effect, "decide: " + rows.error().message()};
}

}  // namespace sluice::effects
