#include "consumer/effects/batch/batch_plan.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "consumer/effects/set_based/change_effect.hpp"

namespace sluice::effects {
namespace {

using store::same_name;
using store::TableFacts;
using Columns = RowSpace::Columns;

constexpr std::size_t most_columns = std::numeric_limits<Columns>::digits;
constexpr std::size_t most_guards = 64;

/// A table of the configuration. Names that differ only by case count as one: at worst that is slower.
struct Table {
    std::string name;
    std::optional<TableFacts> facts;
    bool has_new_rows_or_values = false;  ///< some change inserts into it or sets in it
    std::size_t users = 0;
};

/// Insertions of the same columns into one table: they share their statements, so that rows of different
/// effects keep the order of their events, and with it who comes first.
struct Rows {
    std::size_t table;
    const Insertion* first;
    std::size_t user;
    std::size_t index;
};

bool has_same_columns(const Insertion& one, const Insertion& other) {
    return std::ranges::equal(one.row, other.row, same_name, &Cell::column, &Cell::column);
}

/// A space in the making.
struct Space {
    SpaceShape shape;
    std::size_t table = 0;
    std::size_t user = 0;
    bool is_for_upserts = false;
    std::vector<std::string> columns;  ///< the bits of Columns
};

class Planner {
public:
    Planner(std::span<const Effect* const> effects, store::Connection& connection) : connection_{connection} {
        for (const Effect* effect : effects) {
            if (const auto* set_based = effect->set_based()) {
                for (const auto& change : set_based->changes()) changes_.push_back(&change);
                note_early_ends(set_based->changes());
            }
        }
    }

    Result<BatchPlan> plan() {
        for (const auto* change : changes_) {
            if (const auto read = read_table(*change); !read) return Failure{read.error()};
        }
        for (const auto* change : changes_) plan_.targets.emplace(change, target_of(*change));
        part_checked_columns();
        for (auto& space : spaces_) plan_.spaces.push_back(std::move(space.shape));
        plan_.tables = tables_.size();
        return std::move(plan_);
    }

private:
    /// Whether a row is there is known when it is written, and then it is too late not to make the rest.
    void note_early_ends(std::span<const Change> changes) {
        for (const auto& change : changes.first(changes.empty() ? 0 : changes.size() - 1)) {
            const auto* insertion = std::get_if<Insertion>(&change.what);
            if (insertion != nullptr && insertion->duplicate.outcome == Outcome::ignore)
                early_ends_.insert(&change);
        }
    }

    std::size_t table_of(const std::string& name) {
        const auto found =
            std::ranges::find_if(tables_, [&](const Table& table) { return same_name(table.name, name); });
        if (found == tables_.end()) tables_.push_back({name, {}, false, 0});
        return static_cast<std::size_t>(
            std::ranges::find_if(tables_, [&](const Table& table) { return same_name(table.name, name); }) -
            tables_.begin());
    }

    Result<void> read_table(const Change& change) {
        const auto known = tables_.size();
        auto& table = tables_[table_of(change.table)];
        if (!std::holds_alternative<Addition>(change.what)) table.has_new_rows_or_values = true;
        if (tables_.size() == known) return {};
        auto facts = store::read_table_facts(connection_, change.table);
        if (!facts) return Failure{facts.error()};
        table.facts = std::move(*facts);
        return {};
    }

    Target target_of(const Change& change) {
        Target target{.change = &change, .index = plan_.targets.size(), .table = table_of(change.table)};
        const auto& facts = tables_[target.table].facts;
        if (!facts || !facts->rolls_back || facts->has_triggers) return target;
        if (const auto* insertion = std::get_if<Insertion>(&change.what)) {
            plan_insertion(*insertion, *facts, target);
        } else if (facts->computes()) {
            return target;
        } else if (const auto* addition = std::get_if<Addition>(&change.what)) {
            plan_addition(*addition, *facts, target);
        } else if (const auto* upsert = std::get_if<Upsert>(&change.what)) {
            plan_upsert(*upsert, *facts, target);
        } else if (!facts->has_checks) {
            plan_assignment(std::get<Assignment>(change.what), *facts, target);
        }
        return target;
    }

    /// A CHECK may compare two columns: what one statement writes to the one and the next to the other is not
    /// what it would see event by event.
    void part_checked_columns() {
        for (auto& [change, target] : plan_.targets) {
            if (!std::holds_alternative<Addition>(change->what) || !target.together) continue;
            const auto& shape = spaces_[target.space].shape;
            target.together = !shape.has_checks || shape.sums.size() == 1;
        }
    }

    /// A parent that this configuration makes rows of.
    bool gets_rows(const std::string& parent) const {
        return std::ranges::any_of(tables_, [&](const Table& table) {
            return same_name(table.name, parent) && table.has_new_rows_or_values;
        });
    }

    bool has_parents_that_get_rows(const TableFacts& facts) const {
        return std::ranges::any_of(facts.parents, [this](const auto& parent) { return gets_rows(parent); });
    }

    void plan_insertion(const Insertion& insertion, const TableFacts& facts, Target& target) {
        const auto is_it = [&](const Rows& rows) {
            return rows.table == target.table && has_same_columns(*rows.first, insertion);
        };
        auto rows = std::ranges::find_if(rows_, is_it);
        if (rows == rows_.end()) {
            const auto user = ++tables_[target.table].users;
            rows = rows_.insert(rows_.end(), {target.table, &insertion, user, target.index});
        }
        target.user = rows->user;
        target.index = rows->index;
        target.together = !has_parents_that_get_rows(facts) && !early_ends_.contains(target.change);
    }

    void plan_addition(const Addition& addition, const TableFacts& facts, Target& target) {
        const auto* column = facts.column(addition.column);
        const auto range = column != nullptr ? range_of(*column, facts) : std::nullopt;
        Space* space = space_of(*target.change, facts, target);
        if (space == nullptr || !range || facts.is_unique_or_linked(addition.column)) return;
        auto& sums = space->shape.sums;
        const auto is_it = [&](const auto& sum) { return same_name(sum.first, addition.column); };
        auto sum = std::ranges::find_if(sums, is_it);
        if (sum == sums.end()) sum = sums.insert(sums.end(), {addition.column, *range});
        target.number = static_cast<std::size_t>(sum - sums.begin());
        target.writes = bit_of(*space, addition.column);
        target.together = target.writes != 0;
    }

    void plan_assignment(const Assignment& assignment, const TableFacts& facts, Target& target) {
        const auto is_constant = [](const Guard& guard) {
            return std::ranges::all_of(guard.any_of, &Operand::is_constant);
        };
        const auto is_free = [&](const Cell& cell) { return !facts.is_unique_or_linked(cell.column); };
        if (!std::ranges::all_of(assignment.when, is_constant)) return;
        if (!std::ranges::all_of(assignment.row, is_free)) return;
        Space* space = space_of(*target.change, facts, target);
        if (space == nullptr || space->shape.guarded.size() == most_guards) return;
        bool has_room = true;
        for (const auto& guard : assignment.when) target.reads |= bit_of(*space, guard.column, has_room);
        for (const auto& cell : assignment.row) target.writes |= bit_of(*space, cell.column, has_room);
        target.number = space->shape.guarded.size();
        space->shape.guarded.push_back(&assignment);
        target.together = has_room;
    }

    void plan_upsert(const Upsert& upsert, const TableFacts& facts, Target& target) {
        const auto is_free = [&](const Cell& cell) { return !facts.is_unique_or_linked(cell.column); };
        if (!std::ranges::all_of(upsert.row, is_free) || has_parents_that_get_rows(facts)) return;
        Space* space = space_of(*target.change, facts, target);
        if (space == nullptr) return;
        space->shape.upsert = &upsert;
        target.together = true;
    }

    /// nullptr where the table lacks what a space needs. Upserts have spaces of their own: they make rows
    /// where others find none.
    Space* space_of(const Change& change, const TableFacts& facts, Target& target) {
        auto table = keyed_table(change);
        table.index = facts.index_within(table.keys);
        const bool is_for_upserts = std::holds_alternative<Upsert>(change.what);
        if (table.index.empty()) return nullptr;
        const auto is_it = [&](const Space& space) {
            return space.table == target.table && space.is_for_upserts == is_for_upserts &&
                   std::ranges::equal(space.shape.table.keys, table.keys, same_name);
        };
        auto space = std::ranges::find_if(spaces_, is_it);
        if (space == spaces_.end()) {
            Space made{.shape = {},
                       .table = target.table,
                       .user = ++tables_[target.table].users,
                       .is_for_upserts = is_for_upserts,
                       .columns = {}};
            for (const auto& key : table.keys) made.shape.exactness.push_back(exactness_of(facts, key));
            made.shape.table = std::move(table);
            made.shape.has_checks = facts.has_checks && !facts.bounds;
            space = spaces_.insert(spaces_.end(), std::move(made));
        }
        target.space = static_cast<std::size_t>(space - spaces_.begin());
        target.user = space->user;
        return &*space;
    }

    /// What a CHECK does not let through is left to the database, which refuses it.
    static std::optional<Range> range_of(const store::ColumnFacts& column, const TableFacts& facts) {
        auto range = Range::of(column);
        if (!range || !facts.bounds) return range;
        for (const auto& bound : *facts.bounds)
            if (same_name(bound.column, column.name)) range->keep_within(bound);
        return range;
    }

    static Exactness exactness_of(const TableFacts& facts, const std::string& key) {
        const auto* column = facts.column(key);
        if (column == nullptr || !column->is_byte_exact) return Exactness::none;
        return column->kind == store::ColumnFacts::Kind::integer ? Exactness::numbers : Exactness::text;
    }

    static Columns bit_of(Space& space, const std::string& column) {
        bool has_room = true;
        return bit_of(space, column, has_room);
    }
    static Columns bit_of(Space& space, const std::string& column, bool& has_room) {
        const auto is_it = [&](const std::string& one) { return same_name(one, column); };
        auto found = std::ranges::find_if(space.columns, is_it);
        if (found == space.columns.end()) {
            if (space.columns.size() == most_columns) {
                has_room = false;
                return 0;
            }
            found = space.columns.insert(space.columns.end(), column);
        }
        return Columns{1} << (found - space.columns.begin());
    }

    store::Connection& connection_;
    std::vector<const Change*> changes_;
    std::set<const Change*> early_ends_;
    std::vector<Table> tables_;
    std::vector<Space> spaces_;
    std::vector<Rows> rows_;
    BatchPlan plan_;
};

}  // namespace

std::vector<const Effect*> pointers_to(const EffectSet& set) {
    std::vector<const Effect*> all;
    for (const auto& effect : set.all()) all.push_back(effect.get());
    return all;
}

Result<BatchPlan> plan_batches(std::span<const Effect* const> effects, store::Connection& connection) {
    return Planner{effects, connection}.plan();
}

}  // namespace sluice::effects
