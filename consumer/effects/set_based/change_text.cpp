#include "consumer/effects/set_based/change_text.hpp"

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

using store::quoted_name;

std::string repeated(std::string_view item, std::string_view between, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += between;
        text += item;
    }
    return text;
}

/// "`a` = ? AND `b` = ?"
std::string one_key(const std::vector<std::string>& keys) {
    std::string text;
    for (const auto& key : keys) text += (text.empty() ? "" : " AND ") + quoted_name(key) + " = ?";
    return text;
}

/// Of a composite key each row is a pair of parentheses: MariaDB makes no ranges of (a, b) IN ((?, ?), …).
std::string key_condition(const std::vector<std::string>& keys, std::size_t rows) {
    if (rows == 1) return one_key(keys);
    if (keys.size() == 1) return quoted_name(keys.front()) + " IN (" + store::parameter_list(rows) + ")";
    return repeated("(" + one_key(keys) + ")", " OR ", rows);
}

/// The value of a row out of several: "CASE `a` WHEN ? THEN ? … END".
std::string by_key(const std::vector<std::string>& keys, std::size_t rows) {
    if (keys.size() == 1) {
        return "CASE " + quoted_name(keys.front()) + repeated(" WHEN ? THEN ?", "", rows) + " END";
    }
    return "CASE" + repeated(" WHEN " + one_key(keys) + " THEN ?", "", rows) + " END";
}

std::string table_text(const KeyedTable& table) {
    auto text = quoted_name(table.table);
    if (!table.index.empty()) text += " FORCE INDEX (" + quoted_name(table.index) + ")";
    return text;
}

std::vector<std::string> inserted_columns(const Change& change) {
    std::vector<std::string> columns;
    const auto* upsert = std::get_if<Upsert>(&change.what);
    if (upsert != nullptr) {
        for (const auto& cell : upsert->key) columns.push_back(cell.column);
    }
    for (const auto& cell : upsert != nullptr ? upsert->row : std::get<Insertion>(change.what).row) {
        columns.push_back(cell.column);
    }
    return columns;
}

}  // namespace

const std::vector<Cell>* key_of(const Change& change) {
    if (const auto* addition = std::get_if<Addition>(&change.what)) return &addition->key;
    if (const auto* assignment = std::get_if<Assignment>(&change.what)) return &assignment->key;
    if (const auto* upsert = std::get_if<Upsert>(&change.what)) return &upsert->key;
    return nullptr;
}

KeyedTable keyed_table(const Change& change) {
    KeyedTable table{change.table, {}, {}};
    if (const auto* key = key_of(change)) {
        for (const auto& cell : *key) table.keys.push_back(cell.column);
    }
    return table;
}

std::string insert_head(const Change& change) {
    std::string columns;
    for (const auto& column : inserted_columns(change)) {
        columns += (columns.empty() ? "" : ", ") + quoted_name(column);
    }
    return "INSERT INTO " + quoted_name(change.table) + " (" + columns + ") VALUES";
}

std::string insert_row(const Change& change) {
    return "(" + store::parameter_list(inserted_columns(change).size()) + ")";
}

std::string lock_text(const KeyedTable& table, std::span<const std::string> outputs, std::size_t rows) {
    std::string columns;
    for (const auto& key : table.keys) columns += (columns.empty() ? "" : ", ") + quoted_name(key);
    for (const auto& output : outputs) columns += ", " + output;
    return "SELECT " + columns + " FROM " + table_text(table) + " WHERE " + key_condition(table.keys, rows) +
           " FOR UPDATE";
}

std::string guard_text(const Assignment& assignment) {
    std::string text;
    for (const auto& guard : assignment.when) {
        const auto one = quoted_name(guard.column) + " <=> ?";
        text += (text.empty() ? "(" : " AND (") + repeated(one, " OR ", guard.any_of.size()) + ")";
    }
    return text.empty() ? "1" : text;
}

std::string add_text(const KeyedTable& table, const std::string& column, std::size_t rows) {
    const auto name = quoted_name(column);
    return "UPDATE " + table_text(table) + " SET " + name + " = " + name + " + " +
           (rows == 1 ? "?" : by_key(table.keys, rows)) + " WHERE " + key_condition(table.keys, rows);
}

std::string set_text(const KeyedTable& table, std::span<const Cell> row, std::size_t rows,
                     Constants constants) {
    std::string columns;
    for (const auto& cell : row) {
        const bool is_plain = rows == 1 || (constants == Constants::shared && cell.value.is_constant());
        columns += (columns.empty() ? "" : ", ") + quoted_name(cell.column) + " = " +
                   (is_plain ? "?" : by_key(table.keys, rows));
    }
    return "UPDATE " + table_text(table) + " SET " + columns + " WHERE " + key_condition(table.keys, rows);
}

std::string set_guarded_text(const KeyedTable& table, const Assignment& assignment) {
    auto text = set_text(table, assignment.row, 1);
    if (!assignment.when.empty()) text += " AND " + guard_text(assignment);
    return text;
}

}  // namespace sluice::effects
