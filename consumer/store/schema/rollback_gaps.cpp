#include "consumer/store/schema/rollback_gaps.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

using Names = std::set<std::string, std::less<>>;

constexpr std::size_t most_names = 500;  // of one statement and its triggers

bool is_of_a_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

void add_names(std::string_view sql, Names& names) {
    for (auto at = sql.begin(); at != sql.end();) {
        const auto begin = std::find_if(at, sql.end(), is_of_a_name);
        at = std::find_if_not(begin, sql.end(), is_of_a_name);
        if (begin != at && names.size() < most_names) names.emplace(begin, at);
    }
}

/// `question` ends where the list of names begins.
Result<std::vector<Row>> ask(Connection& connection, const std::string& question, const Names& names) {
    std::vector<Datum> parameters;
    for (const auto& name : names) parameters.emplace_back(std::string_view{name});
    return connection.query(question + " IN (" + parameter_list(parameters.size()) + ")", parameters);
}

}  // namespace

Result<std::string> rollback_gap(Connection& connection, std::string_view tables) {
    Names names;
    add_names(tables, names);
    if (names.empty()) return std::string{};
    const auto triggers = ask(connection,
                              "SELECT action_statement FROM information_schema.triggers"
                              " WHERE event_object_schema = DATABASE() AND event_object_table",
                              names);
    if (!triggers) return Failure{triggers.error()};
    for (const auto& trigger : *triggers) add_names(text_column(trigger.at(0)), names);
    const auto found =
        ask(connection,
            "SELECT table_name, engine FROM information_schema.tables WHERE table_schema = DATABASE()"
            " AND table_type = 'BASE TABLE' AND engine <> 'InnoDB' AND table_name",
            names);
    if (!found) return Failure{found.error()};
    if (found->empty()) return std::string{};
    const std::string table = text_column(found->front().at(0));
    return "table " + table + " has the engine " + text_column(found->front().at(1)) +
           ", which cannot roll back, so an event could be applied twice: ALTER TABLE " + table +
           " ENGINE = InnoDB";
}

}  // namespace sluice::store
