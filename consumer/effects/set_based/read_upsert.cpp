#include "consumer/effects/set_based/read_upsert.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "consumer/effects/set_based/read_cells.hpp"
#include "consumer/effects/set_based/table_wish.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

/// {column: value}, or a list of such: the order of a mapping's keys means nothing, that of a list does.
std::vector<std::pair<config::Value, config::Value>> marks_in(config::Section& section) {
    const auto value = section.value("newer");
    if (!value) {
        section.problem("newer is missing: the column that says how new a row is, and its value");
        return {};
    }
    std::vector<std::pair<config::Value, config::Value>> marks;
    auto items = value->is_list() ? value->items() : std::vector{*value};
    for (const auto& item : items) {
        auto entries = item.entries();
        if (entries.size() != 1)
            item.problem(
                "newer must be {column: value}, or a list of such in the order in which they decide");
        else
            marks.push_back(std::move(entries.front()));
    }
    if (items.empty()) value->problem("newer is empty");
    return marks;
}

bool is_read_as(As as, const Operand& operand, std::span<const Parameter> let) {
    return operand.kind == Operand::Kind::parameter &&
           std::ranges::any_of(let[operand.parameter].from,
                               [as](const ValueSource& source) { return source.conversion.as == as; });
}

/// A constant is as new as every other, and its type is not known.
void check_mark(const config::Value& value, const Operand& operand, NameScope& names) {
    if (operand.is_constant())
        value.problem("a value of newer must be :name; a constant is a let with value and as: int64");
    else if (operand.kind == Operand::Kind::parameter && may_be_null(operand, names.let()))
        value.problem(
            "a value of newer is an optional parameter, and an absent value is neither newer nor older");
    else if (is_read_as(As::json, operand, names.let()))
        value.problem("a value of newer is read as: json, which is text, and as text 10 is older than 9");
    else if (is_read_as(As::decimal, operand, names.let()))
        value.problem(
            "a value of newer is read as: decimal, which is text, and as text 10.00 is older than 9.00: "
            "read it with as: int64 or as: minor");
}

std::vector<Cell> read_newer(config::Section& section, NameScope& names, Values values) {
    std::vector<Cell> newer;
    for (const auto& [column, value] : marks_in(section)) {
        if (!is_name(column.scalar())) column.problem("'" + column.scalar() + "' is not a column name");
        newer.push_back(read_cell(column, value, names, values));
        check_mark(value, newer.back().value, names);
    }
    return newer;
}

/// A column, or {column: value} where the event deletes.
void read_tombstone(config::Section& section, NameScope& names, Values values, Upsert& upsert) {
    const auto value = section.value("tombstone");
    if (!value) return;
    if (!value->is_mapping()) {
        upsert.tombstone = value->scalar();
        if (!is_name(upsert.tombstone)) value->problem("'" + upsert.tombstone + "' is not a column name");
        upsert.row.push_back({upsert.tombstone, {}, value->place()});
        return;
    }
    const auto cells = read_cells(section, "tombstone", names, values);
    if (cells.size() != 1) return value->problem("tombstone must be a column, or {column: value}");
    upsert.tombstone = cells.front().column;
    upsert.deletes = true;
    if (cells.front().value.kind == Operand::Kind::null)
        value->problem("null says that the row is not deleted: write tombstone: " + upsert.tombstone);
    upsert.row.push_back(cells.front());
}

void read_tie(config::Section& section, NameScope& names, Upsert& upsert) {
    const auto value = section.value("tie");
    if (value && value->is_scalar() && value->scalar() == "replace")
        upsert.replaces_ties = true;
    else
        upsert.tie = read_ending_at(section, "tie", all_but_done, names, upsert.tie);
}

void check_each_once(const config::Section& section, const Upsert& upsert) {
    std::vector<const Cell*> cells;
    for (const auto& cell : upsert.key) cells.push_back(&cell);
    for (const auto& cell : upsert.row) cells.push_back(&cell);
    for (auto at = cells.begin(); at != cells.end(); ++at) {
        const auto is_same = [&](const Cell* other) {
            return store::same_name(other->column, (*at)->column);
        };
        if (!std::any_of(cells.begin(), at, is_same)) continue;
        section.problem("the column " + (*at)->column + " stands twice in key, row, newer and tombstone");
    }
}

/// `row`: the key under which the other columns stand.
Upsert read_whole(config::Section& section, std::string_view row, NameScope& names, Values values) {
    Upsert upsert;
    upsert.key = read_key(section, names, values);
    const auto of_row = values == Values::placed ? Values::placed_or_null : values;
    if (section.has(row)) upsert.row = read_cells(section, row, names, of_row);
    upsert.newer = read_newer(section, names, values);
    upsert.row.insert(upsert.row.end(), upsert.newer.begin(), upsert.newer.end());
    read_tombstone(section, names, values, upsert);
    check_each_once(section, upsert);
    std::ranges::sort(upsert.row, {}, &Cell::column);
    read_tie(section, names, upsert);
    upsert.stale = read_ending_at(section, "stale", all_but_done, names, upsert.stale);
    return upsert;
}

/// Of all that the effect is for, these types delete.
void read_deleting_types(config::Section& section, NameScope& names, const When& when, Upsert& upsert) {
    const auto say = [&section](const std::string& sentence) { section.problem_at("deleted_by", sentence); };
    const auto& listed = when.types();
    if (!section.has("deleted_by")) {
        const bool is_one = listed.size() == 1 && !listed.front().ends_with('*');
        if (upsert.deletes && !is_one)
            section.problem_at("tombstone",
                               "each event would delete its object: name the types that do, in deleted_by");
        return;
    }
    const auto types = section.texts("deleted_by");
    if (types.empty()) say("deleted_by must be a type of events, or a list of them");
    for (const auto& type : types) {
        if (type.contains('*')) say("'" + type + "': deleted_by takes whole types, without *");
    }
    const auto is_unlisted = [&](const auto& type) { return !std::ranges::contains(listed, type); };
    if (std::ranges::any_of(types, is_unlisted))
        say("list in when.type, too, what deleted_by names: nothing else tells a misspelt type");
    const auto cell = std::ranges::find(upsert.row, upsert.tombstone, &Cell::column);
    if (upsert.deletes && may_be_null(cell->value, names.let()))
        say("the value of tombstone is optional: without it the event would delete nothing");
    upsert.is_deleted_by_type = upsert.deletes && cell->value.kind == Operand::Kind::parameter &&
                                names.limit_to_types(cell->value.parameter, types);
    if (!upsert.is_deleted_by_type)
        say("deleted_by needs tombstone: {column: place}, where such an event has the time of the deletion");
}

/// sluice knows which columns upserts can compare, and makes them.
void check_given_types(const Upsert& upsert, const NameScope& names, config::Section& section) {
    const auto given = [&names](const Cell& cell) {
        const auto& operand = cell.value;
        return operand.kind == Operand::Kind::parameter ? names.let()[operand.parameter].column_type
                                                        : std::string{};
    };
    for (const Cell& cell : upsert.newer)
        if (!given(cell).empty())
            section.problem_at("newer",
                               "a column of newer takes no type: sluice makes one that compares exactly");
    for (const Cell& cell : upsert.key) {
        if (is_read_as(As::json, cell.value, names.let()) || is_read_as(As::decimal, cell.value, names.let()))
            section.problem_at("key", "the key " + cell.column + " must be read as: text or as: int64");
        if (given(cell).empty() ||
            (is_key_type(given(cell)) && type_of(cell.value, names.let()) == ParameterType::text))
            continue;
        section.problem_at("key", "the type of the key " + cell.column +
                                      " must be VARCHAR(n) or VARBINARY(n), and the key text");
    }
}

}  // namespace

Upsert read_mirror(config::Section& section, NameScope& names, const When& when) {
    Upsert upsert = read_whole(section, "columns", names, Values::placed);
    read_deleting_types(section, names, when, upsert);
    check_given_types(upsert, names, section);
    upsert.wish = wish_of(upsert, names.let());
    return upsert;
}

Upsert read_upsert(config::Section& section, NameScope& names) {
    return read_whole(section, "row", names, Values::named);
}

}  // namespace sluice::effects
