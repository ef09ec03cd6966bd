#include "consumer/effects/set_based/read_cells.hpp"

#include <algorithm>

#include "consumer/effects/set_based/table_wish.hpp"
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

namespace {

Operand read_placed(const std::string& column, const config::Value& value, NameScope& names, bool optional) {
    if (value.is_scalar() && value.scalar().starts_with(':')) return read_operand(value, names);
    auto parameter = read_parameter("mirror." + column, value, names.has_payment());
    if (!parameter.column_type.empty() && !is_column_type(parameter.column_type))
        value.problem("'" + parameter.column_type + "' is no type of a column, such as VARCHAR(64)");
    const auto is_other = [&parameter](const ValueSource& source) {
        return source.conversion.as != parameter.from.front().conversion.as;
    };
    if (std::ranges::any_of(parameter.from, is_other))
        value.problem("all places of the column " + column + " must be read with one as");
    const bool has_default = !parameter.from.empty() && parameter.from.back().fallback;
    if (optional && !has_default) parameter.optional = true;
    return {.kind = Operand::Kind::parameter, .text = {}, .parameter = names.add(std::move(parameter))};
}

}  // namespace

Cell read_cell(const config::Value& column, const config::Value& value, NameScope& names, Values values) {
    const auto name = column.scalar();
    if (values == Values::named) return {name, read_operand(value, names), column.place()};
    return {name, read_placed(name, value, names, values == Values::placed_or_null), column.place()};
}

std::vector<Cell> read_cells(config::Section& section, std::string_view key, NameScope& names,
                             Values values) {
    std::vector<Cell> cells;
    for (const auto& [column, value] : columns_of(section, key))
        cells.push_back(read_cell(column, value, names, values));
    return cells;
}

std::vector<Cell> read_key(config::Section& section, NameScope& names, Values values) {
    auto key = read_cells(section, "key", names, values);
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
