#include "consumer/effects/batch/pending.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "consumer/effects/batch/statement_bytes.hpp"
#include "consumer/effects/set_based/change_text.hpp"

namespace sluice::effects {
namespace {

using store::Connection;
using store::Datum;

/// A locked row was not there to be written: the table is not what we think.
Result<void> as_many(const Result<std::int64_t>& matched, std::size_t rows) {
    if (!matched) return Failure{matched.error()};
    if (*matched == static_cast<std::int64_t>(rows)) return {};
    return Failure{make_error_code(errc::unlisted_row_count)};
}

}  // namespace

Pending::Pending(const BatchPlan& plan) : waiting_(plan.targets.size()), versions_(plan.spaces.size()) {
    for (const auto& [change, target] : plan.targets) {
        if (std::holds_alternative<Upsert>(change->what)) {
            if (target.together) versions_[target.space].emplace(*change);
            continue;
        }
        Rows& rows = waiting_[target.index];
        rows.target = &target;
        const auto* insertion = std::get_if<Insertion>(&change->what);
        if (insertion != nullptr && !rows.statements) {
            rows.width = insertion->row.size();
            rows.statements.emplace(insert_head(*change), insert_row(*change));
        } else if (const auto* assignment = std::get_if<Assignment>(&change->what)) {
            rows.width = assignment->row.size();
        }
    }
}

std::vector<Datum>& Pending::insert(const Target& target, std::size_t event) {
    Rows& rows = waiting_[target.index];
    rows.events.push_back(event);
    rows.changes.push_back(target.change);
    return rows.values;
}

std::vector<Datum>& Pending::set(const Target& target, std::size_t event, std::size_t row) {
    Rows& rows = waiting_[target.index];
    rows.events.push_back(event);
    rows.rows.push_back(row);
    return rows.values;
}

std::vector<Datum>& Pending::upsert(const Target& target, std::size_t event, std::size_t row,
                                    const RowSpace::Standing& before) {
    return versions_[target.space]->add(event, row, before.versions, !before.is_there);
}

void Pending::drop(std::size_t event) {
    for (auto& versions : versions_) {
        if (versions) versions->drop(event);
    }
    for (Rows& rows : waiting_) {
        while (!rows.events.empty() && rows.events.back() == event) {
            rows.events.pop_back();
            if (!rows.changes.empty()) rows.changes.pop_back();
            if (!rows.rows.empty()) rows.rows.pop_back();
        }
        rows.values.resize(std::min(rows.values.size(), rows.events.size() * rows.width));
    }
}

void Pending::clear() {
    duplicate_.reset();
    for (auto& versions : versions_) {
        if (versions) versions->clear();
    }
    for (Rows& rows : waiting_) {
        rows.events.clear();
        rows.changes.clear();
        rows.rows.clear();
        rows.values.clear();
    }
}

std::expected<void, Pending::Unwritten> Pending::write(std::vector<RowSpace>& spaces,
                                                       Connection& connection) {
    ignored_.clear();
    const auto failed = [](const Result<void>& done) {
        return std::unexpected(Unwritten{done.error(), std::nullopt});
    };
    for (RowSpace& space : spaces) {
        for (std::size_t column = 0; column < space.unwritten_sums.size(); ++column) {
            if (const auto done = write_sums(space, column, connection); !done) return failed(done);
        }
    }
    for (const Rows& rows : waiting_) {
        if (rows.statements || rows.events.empty()) continue;
        const auto done = write_sets(rows, spaces[rows.target->space], connection);
        if (!done) return failed(done);
    }
    for (std::size_t i = 0; i < versions_.size(); ++i) {
        if (!versions_[i]) continue;
        if (const auto done = versions_[i]->write(spaces[i], connection); !done) return failed(done);
    }
    // Last, and with the earliest duplicate of all in mind: what is found here is the first event that fails.
    for (const Rows& rows : waiting_) {
        if (!rows.statements || rows.events.empty()) continue;
        const auto done = write_rows(rows, 0, rows.events.size(), connection);
        if (!done) return failed(done);
    }
    const auto duplicate = duplicate_;
    clear();
    if (duplicate) return std::unexpected(Unwritten{{}, duplicate});
    return {};
}

Result<void> Pending::write_sums(RowSpace& space, std::size_t column, Connection& connection) {
    auto& listed = space.unwritten_sums[column];
    amounts_.clear();
    for (const std::size_t row : listed) {
        auto& sum = space.sum(row, column);
        if (!space.shape().has_checks) amounts_.push_back({row, sum.unwritten});
        sum.unwritten = 0;
        sum.is_listed = false;
        sum.turns = 0;
    }
    listed.clear();
    for (const auto& turn : space.turns()) {
        if (const auto done = write_amounts(space, column, turn, connection); !done) return done;
    }
    space.clear_turns();
    return write_amounts(space, column, amounts_, connection);
}

Result<void> Pending::write_amounts(const RowSpace& space, std::size_t column,
                                    std::span<const RowSpace::Amount> amounts, Connection& connection) {
    while (!amounts.empty()) {
        const auto chunk = amounts.first(std::min(update_sizes.back(), amounts.size()));
        if (const auto done = write_some_amounts(space, column, chunk, connection); !done) return done;
        amounts = amounts.subspan(chunk.size());
    }
    return {};
}

Result<void> Pending::write_some_amounts(const RowSpace& space, std::size_t column,
                                         std::span<const RowSpace::Amount> amounts, Connection& connection) {
    const auto size = store::fitting_size(amounts.size(), update_sizes);
    const auto at = [&](std::size_t i) -> const RowSpace::Amount& {
        return amounts[std::min(i, amounts.size() - 1)];
    };
    parameters_.clear();
    if (size == 1) parameters_.emplace_back(at(0).amount);
    for (std::size_t i = 0; size > 1 && i < size; ++i) {
        space.append_key(at(i).row, parameters_);
        parameters_.emplace_back(at(i).amount);
    }
    for (std::size_t i = 0; i < size; ++i) space.append_key(at(i).row, parameters_);
    const auto text = add_text(space.shape().table, space.shape().sums[column].first, size);
    return as_many(connection.execute(text, parameters_), amounts.size());
}

Result<void> Pending::write_sets(const Rows& rows, const RowSpace& space, Connection& connection) {
    for (std::size_t from = 0; from < rows.rows.size();) {
        const auto count = std::min(update_sizes.back(), rows.rows.size() - from);
        if (const auto done = write_some_sets(rows, from, count, space, connection); !done) return done;
        from += count;
    }
    return {};
}

Result<void> Pending::write_some_sets(const Rows& rows, std::size_t from, std::size_t count,
                                      const RowSpace& space, Connection& connection) {
    const auto& assignment = std::get<Assignment>(rows.target->change->what);
    const auto size = store::fitting_size(count, update_sizes);
    const auto at = [&](std::size_t i) { return from + std::min(i, count - 1); };
    parameters_.clear();
    for (std::size_t cell = 0; cell < rows.width; ++cell) {
        if (size == 1 || assignment.row[cell].value.is_constant()) {
            parameters_.push_back(rows.values[from * rows.width + cell]);
            continue;
        }
        for (std::size_t i = 0; i < size; ++i) {
            space.append_key(rows.rows[at(i)], parameters_);
            parameters_.push_back(rows.values[at(i) * rows.width + cell]);
        }
    }
    for (std::size_t i = 0; i < size; ++i) space.append_key(rows.rows[at(i)], parameters_);
    return as_many(connection.execute(set_text(space.shape().table, assignment.row, size), parameters_),
                   count);
}

Result<void> Pending::write_rows(const Rows& rows, std::size_t from, std::size_t count,
                                 Connection& connection) {
    const std::span<const Datum> values{rows.values};
    for (const std::size_t size : store::cut_rows(count)) {
        // Nothing after a duplicate that ends the batch matters.
        if (duplicate_ && rows.events[from] > duplicate_->event) return {};
        const auto some = values.subspan(from * rows.width, size * rows.width);
        const bool is_too_large =
            size > 1 && (some.size() > most_parameters || bytes_of(some) > most_statement_bytes);
        const auto inserted =
            is_too_large ? Result<bool>{false} : connection.insert(rows.statements->of(size), some);
        if (!inserted) return Failure{inserted.error()};
        if (!*inserted && size > 1) {
            const auto half = size / 2;
            if (const auto done = write_rows(rows, from, half, connection); !done) return done;
            if (const auto done = write_rows(rows, from + half, half, connection); !done) return done;
        } else if (!*inserted) {
            const auto* change = rows.changes[from];
            const Outcome outcome = std::get<Insertion>(change->what).duplicate.outcome;
            if (outcome == Outcome::park) duplicate_ = {rows.events[from], change};
            if (outcome == Outcome::ignore) ignored_.push_back({rows.events[from], change});
        }
        from += size;
    }
    return {};
}

}  // namespace sluice::effects
