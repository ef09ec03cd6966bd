#include "consumer/effects/set_based/upserts_agree.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/joined.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

struct OfTable {
    const Effect* effect;
    const Change* change;

    [[nodiscard]] bool is_upsert() const { return std::holds_alternative<Upsert>(change->what); }
    [[nodiscard]] bool is_mirror() const { return is_upsert() && upsert().wish; }
    [[nodiscard]] const Upsert& upsert() const { return std::get<Upsert>(change->what); }
};

std::string columns_in(std::span<const Cell> cells) {
    std::vector<std::string> names;
    for (const auto& cell : cells) names.push_back(cell.column);
    return "(" + joined(names, ", ") + ")";
}

std::string tombstone_of(const Upsert& upsert) {
    return upsert.tombstone.empty() ? "none" : upsert.tombstone;
}

std::string tie_of(const Upsert& upsert) {
    if (upsert.replaces_ties) return "replace";
    const std::string outcome{name_of(upsert.tie.outcome)};
    return upsert.tie.case_class.empty() ? outcome : outcome + ":" + upsert.tie.case_class;
}

struct Part {
    std::string_view name;
    std::string one;
    std::string other;
};

void report(const Part& part, const OfTable& later, const OfTable& first, config::Problems& problems) {
    problems.add(later.change->place,
                 "effect '" + later.effect->name() + "': " + std::string{later.change->kind()} + " into " +
                     later.change->table + ": " + std::string{part.name} + ": " + part.one +
                     ", and in effect '" + first.effect->name() + "' (" + first.change->place.text() + ") " +
                     part.other +
                     ": make them the same, or the order of events would decide what the row holds");
}

std::string types_in(const TableWish& wish) {
    return joined(wish.columns, ", ", [](const auto& one) { return one.name + " " + one.type; });
}

/// Of two mirrors, which want their table to be the same.
void compare_wishes(const OfTable& later, const OfTable& first, config::Problems& problems) {
    const Part part{"types of columns", types_in(*later.upsert().wish), types_in(*first.upsert().wish)};
    if (part.one != part.other) report(part, later, first, problems);
}

void compare(const OfTable& later, const OfTable& first, config::Problems& problems) {
    const auto& one = later.upsert();
    const auto& other = first.upsert();
    const Part parts[] = {{"key", columns_in(one.key), columns_in(other.key)},
                          {"newer", columns_in(one.newer), columns_in(other.newer)},
                          {"tombstone", tombstone_of(one), tombstone_of(other)},
                          {"tie", tie_of(one), tie_of(other)},
                          {"written columns", columns_in(one.row), columns_in(other.row)}};
    for (const auto& part : parts) {
        if (part.one != part.other) return report(part, later, first, problems);
    }
}

/// The columns that the upsert writes in a row, made or changed.
bool writes(const Upsert& upsert, const std::string& column) {
    const auto is_it = [&](const Cell& cell) { return store::same_name(cell.column, column); };
    return std::ranges::any_of(upsert.key, is_it) || std::ranges::any_of(upsert.row, is_it);
}

/// What another kind does to the table that its upserts alone may do; empty: nothing.
std::string meddling(const Change& change, const Upsert& upsert) {
    if (std::holds_alternative<Insertion>(change.what)) return "makes rows";
    if (const auto* addition = std::get_if<Addition>(&change.what))
        return writes(upsert, addition->column) ? "writes " + addition->column : "";
    const auto& row = std::get<Assignment>(change.what).row;
    const auto cell = std::ranges::find_if(row, [&](const Cell& one) { return writes(upsert, one.column); });
    return cell != row.end() ? "writes " + cell->column : "";
}

void check_other(const OfTable& other, const OfTable& first, config::Problems& problems) {
    const auto does = meddling(*other.change, first.upsert());
    if (does.empty()) return;
    problems.add(other.change->place,
                 "effect '" + other.effect->name() + "': " + std::string{other.change->kind()} + " into " +
                     other.change->table + " " + does + ", and so does the " +
                     std::string{first.change->kind()} + " of effect '" + first.effect->name() + "' (" +
                     first.change->place.text() +
                     "): leave that to upserts, or the order of events would decide what the row holds");
}

std::vector<OfTable> all_changes(std::span<const std::unique_ptr<const Effect>> effects) {
    std::vector<OfTable> all;
    for (const auto& effect : effects) {
        const auto* set_based = dynamic_cast<const ChangeEffect*>(effect.get());
        if (set_based == nullptr) continue;
        for (const auto& change : set_based->changes()) all.push_back({effect.get(), &change});
    }
    return all;
}

}  // namespace

void check_upserts_agree(std::span<const std::unique_ptr<const Effect>> effects, config::Problems& problems) {
    const auto all = all_changes(effects);
    const auto first_of = [&all](const OfTable& one, auto&& is_one) {
        return std::ranges::find_if(all, [&](const OfTable& other) {
            return is_one(other) && store::same_name(other.change->table, one.change->table);
        });
    };
    for (const auto& one : all) {
        const auto first = first_of(one, [](const OfTable& other) { return other.is_upsert(); });
        if (first == all.end() || first->change == one.change) continue;
        if (!one.is_upsert()) {
            check_other(one, *first, problems);
            continue;
        }
        compare(one, *first, problems);
        const auto mirror = first_of(one, [](const OfTable& other) { return other.is_mirror(); });
        if (one.is_mirror() && mirror->change != one.change) compare_wishes(one, *mirror, problems);
    }
}

}  // namespace sluice::effects
