#include "consumer/effects/set_based/change_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "consumer/effects/effect/refused_statement.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/effects/set_based/change_text.hpp"
#include "consumer/effects/set_based/exact.hpp"
#include "consumer/effects/set_based/newness.hpp"

namespace sluice::effects {
namespace {

using store::ColumnFacts;
using store::TableFacts;

/// What check_table reads and where it writes.
struct Inspection {
    const Change& change;
    std::span<const Parameter> let;
    const TableFacts& facts;
    const std::string& effect;
    config::Problems& problems;

    void complain(const config::Place& place, const std::string& sentence) const {
        problems.add(place, "effect '" + effect + "': " + std::string{change.kind()} + " into " +
                                change.table + ": " + sentence);
    }

    [[nodiscard]] std::string described(const ColumnFacts& column) const {
        return "the column " + column.name + " (" + column.type + ")";
    }

    void check_value(const Cell& cell) const;
    void check_guard(const Guard& guard) const;
    void check_digits(const Cell& cell, const ColumnFacts& column) const;
    void check_key(const std::vector<Cell>& key) const;
    void check_left_out(std::span<const Cell> row, std::span<const Cell> key = {}) const;
    void check_upsert_key(const Cell& cell) const;
    void check_mark(const Cell& cell) const;
    void check_upsert(const Upsert& upsert) const;
    void check_nullable(const Upsert& upsert) const;
    void check_sum(const Addition& addition) const;
};

/// Numbers in a DATETIME and times in a number are taken by servers and mean something else.
void Inspection::check_value(const Cell& cell) const {
    const auto* column = facts.column(cell.column);
    const auto type = type_of(cell.value, let);
    if (column == nullptr) return;  // the server said so already
    if (type) {
        const bool is_time = *type == ParameterType::time;
        const bool is_number = *type == ParameterType::int64 || *type == ParameterType::boolean;
        const bool counts =
            column->kind == ColumnFacts::Kind::integer || column->kind == ColumnFacts::Kind::decimal;
        const bool is_bytes = *type == ParameterType::bytes;
        const bool is_of_time = column->kind == ColumnFacts::Kind::time;
        if (((is_time || is_bytes) && counts) || ((is_number || is_bytes) && is_of_time)) {
            complain(cell.place, described(*column) + " does not take " + std::string{noun_of(*type)});
        }
    }
    check_digits(cell, *column);
    if (cell.value.kind == Operand::Kind::null && !column->nullable) {
        complain(cell.place, described(*column) + " cannot be null");
    }
}

/// Digits that no comparison rounds.
bool are_digits(std::string text) {
    constexpr std::size_t exact_in_double = 15;
    if (text.starts_with('-')) text.erase(0, 1);
    if (const auto point = text.find('.'); point != std::string::npos) text.erase(point, 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !text.empty() && text.size() <= exact_in_double && std::ranges::all_of(text, is_digit);
}

/// Whether the server compares them as they are. Text and numbers meet as DOUBLE: 'true' and 'pi_1' are 0
/// there, and two numbers of 28 digits may be one.
bool is_comparable(const Operand& value, std::span<const Parameter> let, const ColumnFacts& column) {
    using Kind = ColumnFacts::Kind;
    const auto type = type_of(value, let);
    constexpr std::array<std::string_view, 4> loose_numbers{"float", "double", "bit", "year"};
    const auto is_begun_by = [&](std::string_view name) { return column.type.starts_with(name); };
    const bool counts = column.kind == Kind::integer || column.kind == Kind::decimal ||
                        std::ranges::any_of(loose_numbers, is_begun_by);
    if (value.kind == Operand::Kind::null) return true;
    if (value.kind == Operand::Kind::literal) return !counts || are_digits(value.text);
    if (type == ParameterType::int64 || type == ParameterType::boolean) return counts;
    if (type == ParameterType::time) return column.kind == Kind::time;
    const bool is_decimal = value.kind == Operand::Kind::parameter && let[value.parameter].is_decimal();
    return is_decimal ? column.kind == Kind::decimal
                      : column.kind == Kind::text || (column.kind == Kind::other && !counts);
}

void Inspection::check_guard(const Guard& guard) const {
    const auto* column = facts.column(guard.column);
    if (column == nullptr) return;  // the server said so already
    for (const auto& value : guard.any_of) {
        if (is_comparable(value, let, *column)) continue;
        const auto type = type_of(value, let).value_or(ParameterType::text);
        const std::string what =
            value.kind == Operand::Kind::literal ? "'" + value.text + "'" : std::string{noun_of(type)};
        complain(
            guard.place,
            described(*column) + " cannot be compared with " + what +
                " in when: give it what the column holds" +
                (column->kind == ColumnFacts::Kind::integer
                     ? ", a whole number of at most 15 digits (true is 1); let has longer ones, as: int64"
                     : ""));
    }
}

/// Servers round what has too many digits, and say nothing.
void Inspection::check_digits(const Cell& cell, const ColumnFacts& column) const {
    if (cell.value.kind != Operand::Kind::parameter) return;
    const int decimals = let[cell.value.parameter].decimals();
    const bool is_number =
        column.kind == ColumnFacts::Kind::integer || column.kind == ColumnFacts::Kind::decimal;
    if (!is_number || decimals <= column.scale) return;
    complain(cell.place, described(column) + " would round values with " + std::to_string(decimals) +
                             " digits behind the point: use DECIMAL(38," + std::to_string(decimals) + ")");
}

void Inspection::check_key(const std::vector<Cell>& key) const {
    const auto table = keyed_table(change);
    if (facts.index_within(table.keys).empty()) {
        std::string columns;
        for (const auto& name : table.keys) columns += (columns.empty() ? "" : ", ") + name;
        complain(change.place, "no unique index consists only of columns of the key (" + columns +
                                   "), so the key could match several rows");
    }
    for (const auto& cell : key) {
        const auto* column = facts.column(cell.column);
        if (column == nullptr) continue;
        const auto type = type_of(cell.value, let);
        const bool is_number = type == ParameterType::int64 || type == ParameterType::boolean;
        const bool is_text = column->kind == ColumnFacts::Kind::text;
        if (!is_text && column->kind != ColumnFacts::Kind::integer) {
            complain(cell.place,
                     described(*column) + " cannot be a key column: only text and whole numbers can");
        } else if (is_text && is_number) {
            complain(cell.place, described(*column) +
                                     " holds text and the key is a number: '7' and '07' would both be 7");
        }
    }
}

void Inspection::check_left_out(std::span<const Cell> row, std::span<const Cell> key) const {
    if (facts.has_triggers) return;  // one of them may fill it in
    for (const auto& column : facts.columns) {
        const auto is_it = [&](const Cell& cell) { return store::same_name(cell.column, column.name); };
        if (column.may_be_left_out || std::ranges::any_of(row, is_it) || std::ranges::any_of(key, is_it))
            continue;
        complain(change.place, described(column) + " has no default, and row does not set it");
    }
}

void Inspection::check_sum(const Addition& addition) const {
    const auto* column = facts.column(addition.column);
    if (column == nullptr) return;
    if (!Range::of(*column)) {
        complain(change.place, described(*column) +
                                   " cannot add up amounts exactly: use whole numbers, or DECIMAL with at "
                                   "most 36 digits, of which at most 18 follow the point");
    } else if (column->nullable) {
        complain(change.place,
                 described(*column) + " can be NULL, and NULL plus an amount is NULL: make it NOT NULL");
    }
}

/// Rows are made under the event's key and found again by it. Against a whole number the server compares text
/// as DOUBLE, which large numbers share.
void Inspection::check_upsert_key(const Cell& cell) const {
    const auto* column = facts.column(cell.column);
    if (column == nullptr) return;
    const auto type = type_of(cell.value, let);
    const bool is_number = type == ParameterType::int64 || type == ParameterType::boolean;
    if (column->kind == ColumnFacts::Kind::integer && !is_number) {
        complain(cell.place,
                 described(*column) + " holds whole numbers and the key is not one: read it with as: int64");
    } else if (column->type.starts_with("char(") || column->type.starts_with("binary(")) {
        complain(cell.place, described(*column) +
                                 " pads or cuts its values, so that a row would not be found by its key: use "
                                 "VARBINARY, VARCHAR or an integer");
    }
}

bool keeps_all_bytes(const ColumnFacts& column) {
    return column.type.starts_with("varbinary(") || column.type.ends_with("blob");
}

/// What to do about a value of newer that its column does not give back.
std::string_view remedy(ParameterType type, const ColumnFacts& column) {
    using Kind = ColumnFacts::Kind;
    if (type == ParameterType::time) return "use DATETIME(6), which keeps all digits of a time";
    if (type != ParameterType::text && type != ParameterType::bytes) return "use a column of whole numbers";
    if (column.kind == Kind::integer || column.kind == Kind::decimal) return "read it with as: int64";
    if (column.kind == Kind::time) return "read it with as: time";
    return "use VARBINARY or BLOB";
}

/// What is decided in memory must be what the table would say: the column gives back what it was given, and
/// orders it in one way only.
void Inspection::check_mark(const Cell& cell) const {
    const auto* column = facts.column(cell.column);
    if (column == nullptr) return;
    const auto type = type_of(cell.value, let).value_or(ParameterType::text);
    const bool is_text = type == ParameterType::text || type == ParameterType::bytes;
    const bool is_time = type == ParameterType::time;
    const bool fits = is_text   ? keeps_all_bytes(*column)
                      : is_time ? column->type == "datetime(6)" || column->type == "timestamp(6)"
                                : column->kind == ColumnFacts::Kind::integer;
    if (!fits) {
        complain(cell.place, described(*column) + " cannot say how new a row is by " +
                                 std::string{noun_of(type)} + ": " + std::string{remedy(type, *column)});
    } else if (column->nullable) {
        complain(cell.place,
                 described(*column) + " can be NULL, and NULL is neither newer nor older: make it NOT NULL");
    }
}

/// Of a mirror, whose values may all be missing but those of `newer`.
void Inspection::check_nullable(const Upsert& upsert) const {
    for (const auto& cell : upsert.row) {
        const auto* column = facts.column(cell.column);
        if (std::ranges::contains(upsert.newer, cell.column, &Cell::column)) continue;
        if (column == nullptr || column->nullable || !may_be_null(cell.value, let)) continue;
        complain(cell.place, described(*column) +
                                 " cannot be NULL, and the event may not have the value: make "
                                 "it NULL, or give the value a default");
    }
}

void Inspection::check_upsert(const Upsert& upsert) const {
    check_key(upsert.key);
    for (const auto& cell : upsert.key) check_upsert_key(cell);
    for (const auto& cell : upsert.row) {
        if (upsert.deletes || !store::same_name(cell.column, upsert.tombstone)) check_value(cell);
    }
    for (const auto& cell : upsert.newer) check_mark(cell);
    if (upsert.wish) check_nullable(upsert);
    check_left_out(upsert.row, upsert.key);
    const auto* tombstone = facts.column(upsert.tombstone);
    if (tombstone != nullptr && !tombstone->nullable) {
        complain(change.place,
                 described(*tombstone) +
                     " is the tombstone and cannot be NULL, so each row would count as deleted");
    }
}

}  // namespace

void check_table(const Change& change, std::span<const Parameter> let, const TableFacts& facts,
                 const std::string& effect, config::Problems& problems) {
    const Inspection inspection{change, let, facts, effect, problems};
    if (!facts.rolls_back) {
        inspection.complain(change.place, "it is not an InnoDB table, so nothing could be rolled back");
        return;
    }
    if (const auto* insertion = std::get_if<Insertion>(&change.what)) {
        for (const auto& cell : insertion->row) inspection.check_value(cell);
        inspection.check_left_out(insertion->row);
    } else if (const auto* addition = std::get_if<Addition>(&change.what)) {
        inspection.check_key(addition->key);
        inspection.check_sum(*addition);
    } else if (const auto* assignment = std::get_if<Assignment>(&change.what)) {
        inspection.check_key(assignment->key);
        for (const auto& cell : assignment->row) inspection.check_value(cell);
        for (const auto& guard : assignment->when) inspection.check_guard(guard);
    } else {
        inspection.check_upsert(std::get<Upsert>(change.what));
    }
}

namespace {

/// Statements that name everything a change touches, for the server to prepare.
std::vector<std::string> sample_texts(const Change& change) {
    const auto table = keyed_table(change);
    if (std::holds_alternative<Insertion>(change.what)) {
        return {insert_head(change) + " " + insert_row(change)};
    }
    if (const auto* addition = std::get_if<Addition>(&change.what)) {
        const std::vector<std::string> outputs{store::quoted_name(addition->column)};
        return {lock_text(table, outputs, 1), add_text(table, addition->column, 1)};
    }
    if (const auto* assignment = std::get_if<Assignment>(&change.what)) {
        const std::vector<std::string> outputs{guard_text(*assignment)};
        return {lock_text(table, outputs, 1), set_text(table, assignment->row, 1)};
    }
    const auto& upsert = std::get<Upsert>(change.what);
    return {lock_text(table, newness_columns(upsert), 1), insert_head(change) + " " + insert_row(change),
            set_text(table, upsert.row, 1)};
}

}  // namespace

Result<void> ChangeEffect::check_statements(store::Connection& connection, config::Problems& problems,
                                            std::vector<Lack>& missing) const {
    for (const auto& change : changes_) {
        bool is_taken = true;
        for (const auto& text : sample_texts(change)) {
            const auto prepared = connection.check(text);
            if (prepared) continue;
            is_taken = false;
            const auto lacks = missing.size();
            if (!note_refused(name(), change.place, connection.last_error(), problems, missing)) {
                return Failure{prepared.error()};
            }
            if (change.kind() == "mirror" && missing.size() > lacks && !missing.back().is_right)
                missing.back().sentence += "; sluicectl migrate --effects makes its tables and columns";
            break;
        }
        if (!is_taken) continue;
        const auto facts = store::read_table_facts(connection, change.table);
        if (!facts) return Failure{facts.error()};
        if (!*facts) continue;
        check_table(change, let(), **facts, name(), problems);
        if (!(*facts)->rolls_back) continue;
        const auto asked = note_rollback_gap(name(), change.place, change.table, connection, problems);
        if (!asked) return Failure{asked.error()};
    }
    return {};
}

}  // namespace sluice::effects
