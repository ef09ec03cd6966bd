#pragma once

#include <cstdint>
#include <optional>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {

/// Wide enough for every sum of a column that Range takes and an int64.
__extension__ using Wide = __int128;

/// The numbers that a column can hold, as multiples of its smallest step: DECIMAL(12,2) counts in hundredths.
struct Range {
    Wide least = 0;
    Wide most = 0;
    Wide unit = 1;  ///< steps in one
    int scale = 0;  ///< digits after the point

    /// nullopt for columns that amounts cannot be added to exactly here: anything but integers and DECIMAL
    /// of at most 36 digits, 18 of them after the point.
    [[nodiscard]] static std::optional<Range> of(const store::ColumnFacts& column) noexcept;

    /// Only the numbers that the CHECK lets through.
    void keep_within(const store::CheckBound& bound) noexcept;

    [[nodiscard]] bool holds(Wide steps) const noexcept { return steps >= least && steps <= most; }
};

[[nodiscard]] Wide power_of_ten(int exponent) noexcept;

/// How many digits after the point a value is written with; nullopt for more than we count in.
[[nodiscard]] std::optional<int> scale_of(const store::OwnedDatum& value) noexcept;

/// A column's value in its steps; nullopt for NULL and for what is no number of this scale.
[[nodiscard]] std::optional<Wide> steps_of(const store::OwnedDatum& value, int scale) noexcept;

}  // namespace sluice::effects
