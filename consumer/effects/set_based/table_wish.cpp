#include "consumer/effects/set_based/table_wish.hpp"

#include <algorithm>
#include <regex>

namespace sluice::effects {
namespace {

using store::quoted_name;

const Conversion* conversion_of(const Operand& operand, std::span<const Parameter> let) {
    if (operand.kind != Operand::Kind::parameter || let[operand.parameter].from.empty()) return nullptr;
    return &let[operand.parameter].from.front().conversion;
}

std::string type_of_text(const Conversion* conversion) {
    if (conversion != nullptr && conversion->as == As::json) return "JSON";
    if (conversion == nullptr || conversion->as != As::decimal) return "TEXT";
    return "DECIMAL(38," + std::to_string(conversion->currency ? most_decimals : conversion->scale) + ")";
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
    return type_of_text(conversion_of(operand, let));
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
    const bool is_text = column.type.contains("CHAR") || column.type.contains("char");
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

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// Only sizes are compared: servers have several names for the same type, and what a value needs of its
/// column is checked elsewhere.
bool has_another_size(const ColumnWish& wish, const store::ColumnFacts& there) {
    const std::string wanted = lower(wish.type);
    const std::string has = lower(there.type);
    const auto base = wanted.substr(0, wanted.find('('));
    return wish.is_given && wanted.contains('(') && has.starts_with(base + "(") && has != wanted;
}

}  // namespace

bool is_column_type(std::string_view text) {
    static const std::regex form{
        R"([A-Za-z]{3,20}( ?\( ?[0-9]{1,5}( ?, ?[0-9]{1,2})? ?\))?( [Uu][A-Za-z]{7})?)"};
    return std::regex_match(text.begin(), text.end(), form);
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
