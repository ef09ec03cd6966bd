#include "consumer/effects/set_based/read_cells.hpp"

#include <algorithm>

#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {

bool is_name(std::string_view name) {
    const auto is_wrong = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '`' || c == '.'; };
    return !name.empty() && name.size() <= 64 && name.back() != ' ' && std::ranges::none_of(name, is_wrong);
}

std::vector<std::pair<config::Value, config::Value>> columns_of(config::Section& section,
                                                                std::string_view key) {
    const auto value = section.value(key);
    auto entries = value ? value->entries() : std::vector<std::pair<config::Value, config::Value>>{};
    if (entries.empty()) {
        section.problem_at(key, std::string{key} + " must be a mapping from columns to values");
    }
    for (auto at = entries.begin(); at != entries.end(); ++at) {
        const auto name = at->first.scalar();
        if (!is_name(name)) at->first.problem("'" + name + "' is not a column name");
        const auto is_same = [&](const auto& other) { return store::same_name(other.first.scalar(), name); };
        if (std::any_of(entries.begin(), at, is_same)) {
            at->first.problem(std::string{key} + " has the column " + name + " twice");
        }
    }
    return entries;
}

std::vector<Cell> read_cells(config::Section& section, std::string_view key, NameScope& names) {
    std::vector<Cell> cells;
    for (const auto& [column, value] : columns_of(section, key)) {
        cells.push_back({column.scalar(), read_operand(value, names), column.place()});
    }
    return cells;
}

std::vector<Cell> read_key(config::Section& section, NameScope& names) {
    auto key = read_cells(section, "key", names);
    for (const auto& cell : key) {
        const auto type = type_of(cell.value, names.let());
        if (type != ParameterType::time && type != ParameterType::bytes) continue;
        section.problem_at("key", "the key " + cell.column +
                                      (type == ParameterType::time ? " is a time" : " is bytes") +
                                      ": a key must be text or whole numbers");
    }
    std::ranges::sort(key, {}, &Cell::column);
    return key;
}

Ending read_ending_at(config::Section& section, std::string_view key, std::initializer_list<Outcome> allowed,
                      NameScope& names, Ending otherwise) {
    const auto value = section.value(key);
    return value ? read_ending(*value, allowed, names) : std::move(otherwise);
}

}  // namespace sluice::effects
