#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "common/result.hpp"
#include "consumer/effects/set_based/row_space.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/row_statements.hpp"

namespace sluice::effects {

/// The versions of upserted rows of one space that were decided and not yet written. None is left out for a
/// later one: the table sees each, in order, as it does event by event, so that it refuses what it would
/// refuse there. A row stands at most once in a statement.
class RowVersions {
public:
    /// `change` is one of the space's upserts, and outlives this.
    explicit RowVersions(const Change& change);

    /// The `turn`-th version of a row since the last write; `is_new`: there is no such row yet. The values of
    /// its columns, without the key's, are appended to what is returned.
    [[nodiscard]] std::vector<store::Datum>& add(std::size_t event, std::size_t row, std::size_t turn,
                                                 bool is_new);
    /// Takes back what `event`, the last one, added.
    void drop(std::size_t event);
    void clear();
    [[nodiscard]] bool empty() const noexcept { return versions_.empty(); }

    /// Writes all and forgets them. 1062: a row was made meanwhile, or two keys mean one row; event by event
    /// that is found out.
    [[nodiscard]] Result<void> write(const RowSpace& space, store::Connection& connection);

private:
    struct Version {
        std::size_t event;
        std::size_t row;
        std::size_t turn;
        bool is_new;
        std::size_t number;  ///< its values are the number-th in values_
    };
    using Chunk = std::span<const Version>;
    [[nodiscard]] Chunk next_chunk(Chunk rest, std::size_t most_rows) const;
    [[nodiscard]] bool is_alike(Chunk chunk, const Version& next) const;
    [[nodiscard]] std::span<const store::Datum> values_of(const Version& version) const;
    [[nodiscard]] Result<void> insert(Chunk chunk, const RowSpace& space, store::Connection& connection);
    [[nodiscard]] Result<void> update(Chunk chunk, const RowSpace& space, store::Connection& connection);

    const Upsert& upsert_;
    store::RowStatements insert_;
    std::vector<Version> versions_;
    std::vector<store::Datum> values_;
    std::vector<store::Datum> parameters_;
};

}  // namespace sluice::effects
