#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.hpp"
#include "consumer/effects/batch/batch_plan.hpp"
#include "consumer/effects/batch/row_versions.hpp"
#include "consumer/effects/set_based/one_by_one.hpp"
#include "consumer/effects/set_based/row_space.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/row_statements.hpp"

namespace sluice::effects {

/// The changes that were decided and not yet written. Sums wait in their RowSpace.
class Pending {
public:
    explicit Pending(const BatchPlan& plan);

    /// The row that an insertion makes: its values are appended to what is returned.
    [[nodiscard]] std::vector<store::Datum>& insert(const Target& target, std::size_t event);
    /// The values that an assignment sets in `row`.
    [[nodiscard]] std::vector<store::Datum>& set(const Target& target, std::size_t event, std::size_t row);

    /// The values of a version of `row`: RowVersions::add.
    [[nodiscard]] std::vector<store::Datum>& upsert(const Target& target, std::size_t event, std::size_t row,
                                                    const RowSpace::Standing& before);

    /// Takes back what `event`, the last one, added.
    void drop(std::size_t event);
    void clear();

    /// A row that was there already where that does not pass.
    struct Duplicate {
        std::size_t event;
        const Change* change;
    };
    /// Why not everything could be written: an error of the server, or the first event with a duplicate.
    struct Unwritten {
        std::error_code error;
        std::optional<Duplicate> duplicate;
    };
    /// Writes everything in multi-row statements and forgets it, but for `ignored`.
    [[nodiscard]] std::expected<void, Unwritten> write(std::vector<RowSpace>& spaces,
                                                       store::Connection& connection);

    /// What the last write found there already, where that passes as ignored.
    [[nodiscard]] std::span<const Duplicate> ignored() const noexcept { return ignored_; }

private:
    struct Rows {
        const Target* target = nullptr;  ///< one of those whose rows wait here
        std::vector<std::size_t> events;
        std::vector<const Change*> changes;  ///< of each event
        std::vector<std::size_t> rows;       ///< of the space, where there is one
        std::vector<store::Datum> values;
        std::size_t width = 0;                           ///< values of one row
        std::optional<store::RowStatements> statements;  ///< of insertions
    };
    [[nodiscard]] Result<void> write_sums(RowSpace& space, std::size_t column, store::Connection& connection);
    [[nodiscard]] Result<void> write_amounts(const RowSpace& space, std::size_t column,
                                             std::span<const RowSpace::Amount> amounts,
                                             store::Connection& connection);
    [[nodiscard]] Result<void> write_some_amounts(const RowSpace& space, std::size_t column,
                                                  std::span<const RowSpace::Amount> amounts,
                                                  store::Connection& connection);
    [[nodiscard]] Result<void> write_sets(const Rows& rows, const RowSpace& space,
                                          store::Connection& connection);
    [[nodiscard]] Result<void> write_some_sets(const Rows& rows, std::size_t from, std::size_t count,
                                               const RowSpace& space, store::Connection& connection);
    [[nodiscard]] Result<void> write_rows(const Rows& rows, std::size_t from, std::size_t count,
                                          store::Connection& connection);

    std::vector<Rows> waiting_;                         // by Target::index
    std::vector<std::optional<RowVersions>> versions_;  // by number of the space, of those of upserts
    std::vector<store::Datum> parameters_;
    std::vector<RowSpace::Amount> amounts_;
    std::optional<Duplicate> duplicate_;
    std::vector<Duplicate> ignored_;
};

}  // namespace sluice::effects
