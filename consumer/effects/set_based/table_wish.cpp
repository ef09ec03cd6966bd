#include "consumer/effects/set_based/table_wish.hpp"

#include <algorithm>
#include <regex>

#include "common/http/grammar.hpp"

namespace sluice::effects {
namespace {

using store::quoted_name;

/// Servers write types in small letters, people as they like, and either may put blanks in.
std::string comparable(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ') out += http::lower(c);
    return out;
}

/// All places of a mirror's value are read as one type (read_cells.cpp).
std::string type_of_text(const Operand& operand, std::span<const Parameter> let) {
    if (operand.kind != Operand::Kind::parameter || let[operand.parameter].from.empty()) return "TEXT";
    const Parameter& parameter = let[operand.parameter];
    const As as = parameter.from.front().conversion.as;
    if (as == As::json) return "LONGTEXT";
    return as == As::decimal ? "DECIMAL(38," + std::to_string(parameter.decimals()) + ")" : "TEXT";
}

std::string plain_type(const Operand& operand, std::span<const Parameter> let) {
    switch (type_of(operand, let).value_or(ParameterType::text)) {
        case ParameterType::int64:
            return "BIGINT";
        case ParameterType::boolean:
            return "BOOLEAN";
        case ParameterType::time:
            return "DATETIME(6)";
        case ParameterType::bytes:
            return "BLOB";
        case ParameterType::text:
            break;
    }
    return type_of_text(operand, let);
}

/// `of_text`: what a text is there; empty: what it is anywhere.
ColumnWish column_wish(const Cell& cell, std::span<const Parameter> let, const std::string& of_text) {
    ColumnWish wish{.name = cell.column, .type = plain_type(cell.value, let)};
    if (!of_text.empty() && (wish.type == "TEXT" || wish.type == "BLOB")) wish.type = of_text;
    if (cell.value.kind != Operand::Kind::parameter) return wish;
    const std::string& given = let[cell.value.parameter].column_type;
    wish.is_given = !given.empty();
    if (wish.is_given) wish.type = given;
    return wish;
}

bool is_in(std::span<const Cell> cells, const std::string& column) {
    return std::ranges::contains(cells, column, &Cell::column);
}

/// Texts of a key are compared by their bytes: rows are found without a second look.
std::string definition_of(const ColumnWish& column, bool is_key, bool is_mariadb) {
    const bool is_text = comparable(column.type).contains("char");
    std::string text = quoted_name(column.name) + " " + column.type;
    if (is_key && is_text)
        text += std::string{" CHARACTER SET utf8mb4 COLLATE "} +
                (is_mariadb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin");
    return text + (column.nullable ? " NULL" : " NOT NULL");
}

std::string create_text(const std::string& table, const TableWish& wish, bool is_mariadb) {
    std::string text = "CREATE TABLE " + quoted_name(table) + " (";
    std::string keys;
    for (std::size_t i = 0; i < wish.columns.size(); ++i) {
        text += "\n  " + definition_of(wish.columns[i], i < wish.keys, is_mariadb) + ",";
        if (i < wish.keys) keys += (keys.empty() ? "" : ", ") + quoted_name(wish.columns[i].name);
    }
    return text + "\n  PRIMARY KEY (" + keys + ")\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4";
}

/// Only sizes are compared: servers have several names for the same type, and what a value needs of its
/// column is checked elsewhere.
bool has_another_size(const ColumnWish& wish, const store::ColumnFacts& there) {
    const std::string wanted = comparable(wish.type);
    const std::string has = comparable(there.type);
    const auto base = wanted.substr(0, wanted.find('('));
    return wish.is_given && wanted.contains('(') && has.starts_with(base + "(") && has != wanted;
}

/// Why a table that is there cannot be the mirror's: nothing is added to it then.
std::vector<std::string> obstacles(const TableWish& wish, const store::TableFacts& facts) {
    std::vector<std::string> found;
    if (!facts.rolls_back) found.emplace_back("it is no InnoDB table");
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < wish.columns.size(); ++i) {
        const ColumnWish& column = wish.columns[i];
        if (i < wish.keys) keys.push_back(column.name);
        if (!column.nullable && facts.column(column.name) == nullptr)
            found.push_back("it has no column " + column.name + ", which rows that are there would lack");
    }
    if (found.empty() && facts.index_within(keys).empty())
        found.emplace_back("no unique index of it consists only of columns of the key");
    if (!found.empty()) found.back() += ": mirror into a table of its own";
    return found;
}

}  // namespace

bool is_column_type(std::string_view text) {
    static const std::regex form{
        R"([A-Za-z]{3,20}( ?\( ?[0-9]{1,5}( ?, ?[0-9]{1,2})? ?\))?( [Uu][A-Za-z]{7})?)"};
    return std::regex_match(text.begin(), text.end(), form);
}

bool is_key_type(std::string_view text) {
    const std::string type = comparable(text);
    return type.starts_with("varchar(") || type.starts_with("varbinary(");
}

TableWish wish_of(const Upsert& upsert, std::span<const Parameter> let) {
    TableWish wish{.columns = {}, .keys = upsert.key.size()};
    for (const Cell& cell : upsert.key) wish.columns.push_back(column_wish(cell, let, "VARCHAR(255)"));
    for (ColumnWish& key : wish.columns) key.nullable = false;
    for (const Cell& cell : upsert.row) {
        const bool is_mark = is_in(upsert.newer, cell.column);
        wish.columns.push_back(column_wish(cell, let, is_mark ? "VARBINARY(255)" : ""));
        wish.columns.back().nullable = !is_mark;
    }
    return wish;
}

TablePlan plan_table(const std::string& table, const TableWish& wish,
                     const std::optional<store::TableFacts>& facts, bool is_mariadb) {
    TablePlan plan{.table = table, .is_missing = !facts};
    if (facts) plan.differs = obstacles(wish, *facts);
    if (!plan.differs.empty()) return plan;
    std::string added;
    for (std::size_t i = 0; i < wish.columns.size(); ++i) {
        const ColumnWish& column = wish.columns[i];
        const auto* there = facts ? facts->column(column.name) : nullptr;
        if (there == nullptr && facts && !column.nullable) {
            plan.differs.push_back(column.name +
                                   " is missing, and rows that are there have no value for it: "
                                   "mirror into a new table, or add it yourself");
        } else if (there == nullptr) {
            plan.columns.push_back(column.name);
            added += (added.empty() ? "" : ",") + std::string{"\n  ADD COLUMN "} +
                     definition_of(column, false, is_mariadb);
        } else if (has_another_size(column, *there)) {
            plan.differs.push_back(column.name + " is " + there->type + ", and the file says " + column.type +
                                   ": change it yourself if that is meant");
        }
    }
    if (!facts) plan.statement = create_text(table, wish, is_mariadb);
    if (facts && !added.empty()) plan.statement = "ALTER TABLE " + quoted_name(table) + added;
    return plan;
}

}  // namespace sluice::effects
