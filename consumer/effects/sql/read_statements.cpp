#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/sql/sql_effect.hpp"

// Reads the configuration's side of consumer/effects/sql/sql_effect.hpp.
namespace sluice::effects {
namespace {

/// A statement that is wrong comes back without its text.
SqlStatement read_statement(config::Section section, NameScope& names) {
    SqlStatement statement;
    const auto run = section.required_text("run");
    const auto rows = section.value("rows");
    if (rows) statement.rows = RowOutcomes::read(*rows, names);
    const auto value = section.value("run");
    statement.place = value ? value->place() : section.place();
    if (run.empty()) return statement;
    const auto change = single_change(run);
    if (!change) {
        section.problem_at("run", change.error());
        return statement;
    }
    auto prepared = read_prepared(*change, names);
    if (!prepared) {
        section.problem_at("run", prepared.error());
        return statement;
    }
    statement.change = std::move(*prepared);
    return statement;
}

}  // namespace

std::vector<SqlStatement> read_statements(config::Section& section, NameScope& names) {
    std::vector<SqlStatement> statements;
    for (auto& item : section.sections("sql")) statements.push_back(read_statement(std::move(item), names));
    if (statements.empty()) {
        section.problem_at("sql", "sql must be a list of statements, each {run: …, rows: {…}}");
    }
    return statements;
}

}  // namespace sluice::effects
