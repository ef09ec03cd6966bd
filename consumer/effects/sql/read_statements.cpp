#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/sql/sql_effect.hpp"

// Reads the configuration's side of consumer/effects/sql/sql_effect.hpp.
namespace sluice::effects {
namespace {

/// A count that the statement can never give would wait in vain, as would the outcome that it stands for.
void check_counts(const config::Value& rows, std::string_view change) {
    const RowCounts possible = possible_counts(change);
    for (const auto& [key, outcome] : rows.entries()) {
        const auto count = row_count_from(key.scalar());
        if (!count || (*count >= possible.least && *count <= possible.most.value_or(*count))) continue;
        const std::string most = !possible.most                     ? " or more"
                                 : *possible.most != possible.least ? " to " + std::to_string(*possible.most)
                                                                    : "";
        key.problem("this statement never matches " + key.scalar() + " rows, but " +
                    std::to_string(possible.least) + most +
                    ": a key that is there already is an error, but for INSERT IGNORE (0) and ON DUPLICATE "
                    "KEY UPDATE (1 or 2)");
    }
}

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
    if (rows) check_counts(*rows, *change);
    if (const RowCounts possible = possible_counts(*change); !rows && possible.least > 1)
        section.problem_at("run", "this statement writes " + std::to_string(possible.least) +
                                      " rows, and without rows only 1 is done: list what it gives");
    if (auto prepared = read_prepared(*change, names, *value)) statement.change = std::move(*prepared);
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
