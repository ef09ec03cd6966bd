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

struct Part {
    std::string_view name;
    std::string one;
    std::string other;
};

void compare(const OfTable& later, const OfTable& first, config::Problems& problems) {
    const auto& one = later.upsert();
    const auto& other = first.upsert();
    const Part parts[] = {{"key", columns_in(one.key), columns_in(other.key)},
                          {"newer", columns_in(one.newer), columns_in(other.newer)},
                          {"tombstone", tombstone_of(one), tombstone_of(other)},
                          {"written columns", columns_in(one.row), columns_in(other.row)}};
    for (const auto& part : parts) {
        if (part.one == part.other) continue;
        return problems.add(
            later.change->place,
            "effect '" + later.effect->name() + "': upsert into " + later.change->table + ": " +
                std::string{part.name} + ": " + part.one + ", and in effect '" + first.effect->name() +
                "' (" + first.change->place.text() + ") " + part.other +
                ": make them the same, or the order of events would decide what the row holds");
    }
}

}  // namespace

void check_upserts_agree(std::span<const std::unique_ptr<const Effect>> effects, config::Problems& problems) {
    std::vector<OfTable> first;
    for (const auto& effect : effects) {
        if (!effect->may_be_stale()) continue;
        for (const auto& change : dynamic_cast<const ChangeEffect&>(*effect).changes()) {
            if (!std::holds_alternative<Upsert>(change.what)) continue;
            const auto is_same = [&](const OfTable& one) {
                return store::same_name(one.change->table, change.table);
            };
            const auto found = std::ranges::find_if(first, is_same);
            if (found == first.end())
                first.push_back({effect.get(), &change});
            else
                compare({effect.get(), &change}, *found, problems);
        }
    }
}

}  // namespace sluice::effects
