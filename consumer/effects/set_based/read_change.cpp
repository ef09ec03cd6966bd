#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/set_based/read_cells.hpp"
#include "consumer/effects/set_based/read_upsert.hpp"
#include "consumer/store/schema/table_facts.hpp"

// Reads the configuration's side of consumer/effects/set_based/change.hpp.
namespace sluice::effects {
namespace {

Insertion read_insertion(config::Section& section, NameScope& names) {
    Insertion insertion;
    insertion.row = read_cells(section, "row", names);
    std::ranges::sort(insertion.row, {}, &Cell::column);
    insertion.duplicate =
        read_ending_at(section, "duplicate", {Outcome::done, Outcome::ignore, Outcome::park}, names);
    return insertion;
}

/// An amount is there in every event, or the configuration is wrong: a sum with NULL would be NULL.
Operand read_amount(config::Section& section, NameScope& names) {
    const auto value = section.value("by");
    if (!value) {
        section.problem("by is missing: :name, -:name or a number");
        return {};
    }
    auto amount = read_operand(*value, names);
    if (amount.kind == Operand::Kind::literal) {
        std::int64_t number = 0;
        const auto* end = amount.text.data() + amount.text.size();
        const auto [stop, error] = std::from_chars(amount.text.data(), end, number);
        if (error != std::errc{} || stop != end)
            value->problem("'" + amount.text + "' is not a whole number");
    } else if (type_of(amount, names.let()) != ParameterType::int64) {
        value->problem("by must be a whole number: use a parameter with as: int64");
    } else if (may_be_null(amount, names.let())) {
        value->problem("by is an optional parameter, and an absent value cannot be added");
    }
    return amount;
}

Addition read_addition(config::Section& section, NameScope& names) {
    Addition addition;
    addition.key = read_key(section, names);
    addition.column = section.required_text("column");
    if (!addition.column.empty() && !is_name(addition.column)) {
        section.problem_at("column", "'" + addition.column + "' is not a column name");
    }
    if (std::ranges::any_of(
            addition.key, [&](const Cell& cell) { return store::same_name(cell.column, addition.column); })) {
        section.problem_at("column", "an effect cannot add to a column of its key");
    }
    addition.by = read_amount(section, names);
    if (section.has("floor")) {
        addition.floor = section.integer("floor", 0, std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max());
    } else if (section.has("below")) {
        section.problem_at("below", "below says what a sum under the floor means: give floor too");
    }
    addition.below = read_ending_at(section, "below", all_but_done, names);
    addition.missing = read_ending_at(section, "missing", all_but_done, names);
    return addition;
}

std::vector<Guard> read_guards(config::Section& section, NameScope& names) {
    std::vector<Guard> guards;
    if (!section.has("when")) return guards;
    for (const auto& [column, value] : columns_of(section, "when")) {
        Guard guard{column.scalar(), {}, column.place()};
        if (!value.is_list()) guard.any_of.push_back(read_operand(value, names));
        for (const auto& item : value.items()) guard.any_of.push_back(read_operand(item, names));
        if (guard.any_of.empty()) value.problem("the list is empty, so nothing could ever be set");
        guards.push_back(std::move(guard));
    }
    return guards;
}

Assignment read_assignment(config::Section& section, NameScope& names) {
    Assignment assignment;
    assignment.key = read_key(section, names);
    assignment.row = read_cells(section, "row", names);
    assignment.when = read_guards(section, names);
    for (const auto& cell : assignment.row) {
        const auto is_it = [&](const Cell& key) { return store::same_name(key.column, cell.column); };
        if (!std::ranges::any_of(assignment.key, is_it)) continue;
        section.problem_at("row", "row sets " + cell.column + ", a column of the key");
    }
    if (section.has("otherwise") && assignment.when.empty()) {
        section.problem_at("otherwise", "otherwise is for rows for which when does not hold: give when too");
    }
    assignment.otherwise = read_ending_at(section, "otherwise", all_but_done, names);
    assignment.missing = read_ending_at(section, "missing", all_but_done, names);
    return assignment;
}

Change read_one(std::string_view kind, config::Section section, NameScope& names, const When& when) {
    Change change{section.place(), section.required_text("table"), {}};
    if (!change.table.empty() && !is_name(change.table)) {
        section.problem_at("table", "'" + change.table + "' is not a table name");
    }
    if (kind == "insert") change.what = read_insertion(section, names);
    if (kind == "add") change.what = read_addition(section, names);
    if (kind == "set") change.what = read_assignment(section, names);
    if (kind == "upsert") change.what = read_upsert(section, names);
    if (kind == "mirror") change.what = read_mirror(section, names, when);
    return change;
}

}  // namespace

std::vector<Change> read_changes(config::Section& section, NameScope& names, const When& when) {
    std::vector<std::pair<config::Place, std::string_view>> found;
    for (const auto kind : set_based_kinds) {
        if (!section.has(kind)) continue;
        const auto value = section.value(kind);
        if (!value || !value->is_mapping()) {
            section.problem_at(kind, std::string{kind} + " must be a mapping, as in {table: …}");
            continue;
        }
        found.emplace_back(value->place(), kind);
    }
    std::ranges::sort(found, {}, [](const auto& one) { return std::pair{one.first.line, one.first.column}; });
    std::vector<Change> changes;
    for (const auto& [place, kind] : found)
        changes.push_back(read_one(kind, section.section(kind), names, when));
    return changes;
}

}  // namespace sluice::effects
