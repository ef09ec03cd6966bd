#include "consumer/effects/batch/row_versions.hpp"

#include <algorithm>
#include <tuple>

#include "common/error.hpp"
#include "consumer/effects/batch/statement_bytes.hpp"
#include "consumer/effects/set_based/change_text.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::effects {
namespace {

using store::Connection;
using store::Datum;

constexpr std::size_t most_inserted = 64;

}  // namespace

RowVersions::RowVersions(const Change& change)
    : upsert_{std::get<Upsert>(change.what)}, insert_{insert_head(change), insert_row(change)} {}

std::vector<Datum>& RowVersions::add(std::size_t event, std::size_t row, std::size_t turn, bool is_new) {
    versions_.push_back({event, row, turn, is_new, versions_.size()});
    return values_;
}

void RowVersions::drop(std::size_t event) {
    while (!versions_.empty() && versions_.back().event == event) versions_.pop_back();
    values_.resize(std::min(values_.size(), versions_.size() * upsert_.row.size()));
}

void RowVersions::clear() {
    versions_.clear();
    values_.clear();
}

std::span<const Datum> RowVersions::values_of(const Version& version) const {
    return std::span{values_}.subspan(version.number * upsert_.row.size(), upsert_.row.size());
}

Result<void> RowVersions::write(const RowSpace& space, Connection& connection) {
    std::ranges::stable_sort(versions_, {},
                             [](const Version& one) { return std::tuple{one.turn, !one.is_new}; });
    for (Chunk rest{versions_}; !rest.empty();) {
        const bool is_new = rest.front().is_new;
        const auto chunk = next_chunk(rest, is_new ? most_inserted : update_sizes.back());
        const auto done = is_new ? insert(chunk, space, connection) : update(chunk, space, connection);
        if (!done) return done;
        rest = rest.subspan(chunk.size());
    }
    clear();
    return {};
}

/// Whether each column has values of one type, or NULL: of several types a CASE would make one.
bool RowVersions::is_alike(Chunk chunk, const Version& next) const {
    const auto are_alike = [](const Datum& left, const Datum& right) {
        return left.index() == right.index() || left == Datum{nullptr} || right == Datum{nullptr};
    };
    return std::ranges::all_of(chunk, [&](const Version& one) {
        return std::ranges::equal(values_of(one), values_of(next), are_alike);
    });
}

RowVersions::Chunk RowVersions::next_chunk(Chunk rest, std::size_t most_rows) const {
    const auto& first = rest.front();
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < std::min(most_rows, rest.size())) {
        const auto& next = rest[count];
        bytes += bytes_of(values_of(next));
        if (next.turn != first.turn || next.is_new != first.is_new) break;
        if (count > 0 && bytes > most_statement_bytes) break;
        if (!next.is_new && !is_alike(rest.first(count), next)) break;
        ++count;
    }
    return rest.first(count);
}

Result<void> RowVersions::insert(Chunk chunk, const RowSpace& space, Connection& connection) {
    std::size_t at = 0;
    for (const std::size_t size : store::cut_rows(chunk.size())) {
        parameters_.clear();
        for (const auto& version : chunk.subspan(at, size)) {
            space.append_key(version.row, parameters_);
            const auto values = values_of(version);
            parameters_.insert(parameters_.end(), values.begin(), values.end());
        }
        const auto inserted = connection.insert(insert_.of(size), parameters_);
        if (!inserted) return Failure{inserted.error()};
        if (!*inserted) return Failure{store::make_error(1062, "23000")};
        at += size;
    }
    return {};
}

Result<void> RowVersions::update(Chunk chunk, const RowSpace& space, Connection& connection) {
    const auto size = store::fitting_size(chunk.size(), update_sizes);
    const auto at = [&](std::size_t i) -> const Version& { return chunk[std::min(i, chunk.size() - 1)]; };
    parameters_.clear();
    for (std::size_t column = 0; column < upsert_.row.size(); ++column) {
        for (std::size_t i = 0; i < size; ++i) {
            if (size > 1) space.append_key(at(i).row, parameters_);
            parameters_.push_back(values_of(at(i))[column]);
        }
    }
    for (std::size_t i = 0; i < size; ++i) space.append_key(at(i).row, parameters_);
    const auto matched =
        connection.execute(set_text(space.shape().table, upsert_.row, size, Constants::by_row), parameters_);
    if (!matched) return Failure{matched.error()};
    if (*matched == static_cast<std::int64_t>(chunk.size())) return {};
    return Failure{make_error_code(errc::unlisted_row_count)};
}

}  // namespace sluice::effects
