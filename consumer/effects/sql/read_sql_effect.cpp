#include <algorithm>
#include <optional>

#include "consumer/effects/effect/placeholders.hpp"
#include "consumer/effects/sql/sql_effect.hpp"
#include "consumer/effects/sql/statement_kind.hpp"

// Reads the configuration's side of consumer/effects/sql/sql_effect.hpp.
namespace sluice::effects {
namespace {

/// What a :name stands for; nullopt when nothing does.
std::optional<Slot> slot_of(const std::string& name, std::vector<Parameter>& let, const When& when) {
    if (is_built_in(name)) return Slot{0, name};
    const auto found = find_parameter(let, name, when);
    return found ? std::optional{Slot{*found, {}}} : std::nullopt;
}

/// A statement that is wrong comes back without its text.
SqlStatement read_statement(config::Section section, std::vector<Parameter>& let, std::vector<bool>& used,
                            const When& when) {
    SqlStatement statement;
    const auto run = section.required_text("run");
    const auto rows = section.value("rows");
    if (rows) statement.rows = RowOutcomes::read(*rows);
    const auto value = section.value("run");
    statement.place = value ? value->place() : section.place();
    if (run.empty()) return statement;
    const auto change = single_change(run);
    if (!change) {
        section.problem_at("run", change.error());
        return statement;
    }
    const auto placeholders = replace_placeholders(*change);
    if (!placeholders) {
        section.problem_at("run", placeholders.error());
        return statement;
    }
    statement.text = placeholders->text;
    for (const auto& name : placeholders->names) {
        const auto slot = slot_of(name, let, when);
        if (!slot) {
            section.problem_at("run", unknown_parameter(name));
            continue;
        }
        if (slot->built_in.empty() && slot->parameter < used.size()) used[slot->parameter] = true;
        statement.slots.push_back(*slot);
    }
    return statement;
}

}  // namespace

std::unique_ptr<const Effect> read_sql_effect(Heading heading, config::Section& section) {
    const auto let = section.value("let");
    auto parameters = let ? read_parameters(*let) : std::vector<Parameter>{};
    std::vector<bool> used(parameters.size());
    std::vector<SqlStatement> statements;
    for (auto& item : section.sections("sql")) {
        statements.push_back(read_statement(std::move(item), parameters, used, heading.when));
    }
    if (statements.empty()) {
        section.problem_at("sql", "sql must be a list of statements, each {run: …, rows: {…}}");
    }
    const bool all_read = !std::ranges::contains(statements, std::string{}, &SqlStatement::text);
    for (std::size_t i = 0; let && all_read && i < used.size(); ++i) {
        if (used[i]) continue;
        let->problems().add(parameters[i].place, "no statement uses :" + parameters[i].name);
    }
    return std::make_unique<SqlEffect>(std::move(heading), std::move(parameters), std::move(statements));
}

}  // namespace sluice::effects
