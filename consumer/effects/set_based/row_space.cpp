#include "consumer/effects/set_based/row_space.hpp"

#include <algorithm>
#include <array>

#include "common/error.hpp"
#include "consumer/effects/set_based/row_key.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {
namespace {

using store::Connection;
using store::Datum;
using store::Row;

constexpr std::array<std::size_t, 5> plain_sizes{1, 8, 32, 128, store::full_batch};
// An OR of many composite keys costs the optimizer more than it saves.
constexpr std::array<std::size_t, 3> composite_sizes{1, 8, 32};

std::vector<std::string> outputs_of(const SpaceShape& shape) {
    std::vector<std::string> outputs;
    for (const auto& [column, range] : shape.sums) outputs.push_back(store::quoted_name(column));
    for (const auto* assignment : shape.guarded) outputs.push_back(guard_text(*assignment));
    if (shape.upsert != nullptr) return newness_columns(*shape.upsert);
    return outputs;
}

void append_guard_values(const SpaceShape& shape, std::vector<Datum>& out) {
    for (const auto* assignment : shape.guarded) {
        for (const auto& guard : assignment->when) {
            for (const auto& operand : guard.any_of) {
                out.push_back(operand.kind == Operand::Kind::null ? Datum{nullptr}
                                                                  : Datum{std::string_view{operand.text}});
            }
        }
    }
}

/// Keys are text and numbers.
store::OwnedDatum kept(const Datum& part) {
    if (const auto* number = std::get_if<std::int64_t>(&part)) return *number;
    if (const auto* text = std::get_if<std::string_view>(&part)) return std::string{*text};
    return nullptr;
}

}  // namespace

void RowSpace::want(std::span<const Datum> key) {
    scratch_.clear();
    spell(key, scratch_);
    const auto [entry, is_new] = by_spelling_.try_emplace(scratch_);
    if (is_new) wanted_.push_back({{key.begin(), key.end()}, &entry->first, &entry->second});
}

Result<void> RowSpace::fetch(Connection& connection) {
    // Sorted, so that workers that share rows lock them in one order.
    std::ranges::sort(wanted_, {}, [](const Wanted& one) -> const std::string& { return *one.spelling; });
    const std::size_t most = shape_.table.keys.size() == 1 ? plain_sizes.back() : composite_sizes.back();
    for (std::span<const Wanted> rest{wanted_}; !rest.empty();) {
        const auto chunk = rest.first(std::min(most, rest.size()));
        if (const auto done = fetch_chunk(chunk, connection); !done) return done;
        rest = rest.subspan(chunk.size());
    }
    wanted_.clear();
    return {};
}

Result<void> RowSpace::fetch_chunk(std::span<const Wanted> wanted, Connection& connection) {
    const bool is_plain = shape_.table.keys.size() == 1;
    const auto size = is_plain ? store::fitting_size(wanted.size(), plain_sizes)
                               : store::fitting_size(wanted.size(), composite_sizes);
    auto rows = lock(wanted, size, connection);
    if (!rows) return Failure{rows.error()};
    for (auto& row : *rows) {
        scratch_.clear();
        spell(row, shape_.table.keys.size(), scratch_);
        const auto entry = by_spelling_.find(scratch_);
        // A row of another spelling is asked for again below, by the spelling that found it.
        if (entry == by_spelling_.end() || entry->second.presence != Presence::unknown) continue;
        entry->second = {Presence::there, add_row(std::move(row))};
    }
    for (const auto& one : wanted) {
        if (one.found->presence != Presence::unknown) continue;
        if (is_exact(one.key)) {
            one.found->presence = Presence::missing;
        } else if (const auto asked = ask_alone(one, connection); !asked) {
            return asked;
        }
    }
    return {};
}

Result<void> RowSpace::ask_alone(const Wanted& wanted, Connection& connection) {
    auto rows = lock({&wanted, 1}, 1, connection);
    if (!rows) return Failure{rows.error()};
    const auto meant = meant_row(wanted.key, *rows);
    if (!meant) {
        wanted.found->presence = Presence::unreadable;
        return {};
    }
    if (!*meant) {
        wanted.found->presence = Presence::missing;
        return {};
    }
    auto& row = rows->at(**meant);
    scratch_.clear();
    spell(row, shape_.table.keys.size(), scratch_);
    auto& own = by_spelling_[scratch_];  // the row's own spelling; nodes stay where they are
    if (own.presence != Presence::there) own = {Presence::there, add_row(std::move(row))};
    *wanted.found = own;
    return {};
}

Result<std::vector<Row>> RowSpace::lock(std::span<const Wanted> wanted, std::size_t size,
                                        Connection& connection) const {
    std::vector<Datum> parameters;
    append_guard_values(shape_, parameters);
    for (std::size_t i = 0; i < size; ++i) {
        const auto& key = wanted[std::min(i, wanted.size() - 1)].key;
        parameters.insert(parameters.end(), key.begin(), key.end());
    }
    return connection.query(lock_text(shape_.table, outputs_of(shape_), size), parameters);
}

bool RowSpace::is_exact(std::span<const Datum> key) const noexcept {
    for (std::size_t i = 0; i < key.size(); ++i) {
        const bool is_number = std::holds_alternative<std::int64_t>(key[i]);
        if (shape_.exactness[i] != (is_number ? Exactness::numbers : Exactness::text)) return false;
    }
    return true;
}

RowSpace::Found RowSpace::find(std::span<const Datum> key) {
    scratch_.clear();
    spell(key, scratch_);
    const auto entry = by_spelling_.find(scratch_);
    return entry != by_spelling_.end() ? entry->second : Found{};
}

void RowSpace::forget() {
    by_spelling_.clear();
    wanted_.clear();
    rows_.clear();
    sums_.clear();
    touched_.clear();
    standings_.clear();
    guards_.clear();
    turns_.clear();
    unwritten_sums.assign(shape_.sums.size(), {});
}

void RowSpace::add_to_turn(std::size_t turn, Amount amount) {
    if (turn == turns_.size()) turns_.emplace_back();
    turns_[turn].push_back(amount);
}

void RowSpace::append_key(std::size_t row, std::vector<Datum>& out) const {
    for (std::size_t i = 0; i < shape_.table.keys.size(); ++i) out.push_back(sent_back(rows_[row][i]));
}

std::size_t RowSpace::add_missing(std::span<const Datum> key) {
    Row row;
    for (const auto& part : key) row.push_back(kept(part));
    scratch_.clear();
    spell(key, scratch_);
    rows_.push_back(std::move(row));
    standings_.emplace_back();
    by_spelling_[scratch_] = {Presence::there, rows_.size() - 1};
    return rows_.size() - 1;
}

std::size_t RowSpace::add_row(Row row) {
    std::size_t at = shape_.table.keys.size();
    for (const auto& [column, range] : shape_.sums)
        sums_.push_back({steps_of(row[at++], range.scale), 0, false, 0});
    std::uint64_t guards = 0;
    for (std::size_t i = 0; i < shape_.guarded.size(); ++i) {
        if (row[at++] == store::OwnedDatum{std::int64_t{1}}) guards |= std::uint64_t{1} << i;
    }
    guards_.push_back(guards);
    touched_.push_back({});
    if (shape_.upsert != nullptr) standings_.push_back({newness_of(std::span{row}.subspan(at)), true, 0});
    rows_.push_back(std::move(row));
    return rows_.size() - 1;
}

}  // namespace sluice::effects
