#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/config/section.hpp"
#include "consumer/effects/outcome/ending.hpp"

namespace sluice::effects {

/// A whole number from 0; nullopt for any other text.
[[nodiscard]] std::optional<std::int64_t> row_count_from(const std::string& text) noexcept;

/// What the number of rows that a statement matched means. `rows` of the configuration, or {1: done} without
/// it.
class RowOutcomes {
public:
    /// Exactly one row is done.
    RowOutcomes() : by_count_{{1, {.outcome = Outcome::done}}} {}

    /// A mapping from counts (0 upwards) or `other` to outcomes; what is wrong goes to the value's problems.
    static RowOutcomes read(const config::Value& value, NameScope& names);

    /// nullptr: the count is not listed, so roll back and park.
    [[nodiscard]] const Ending* of(std::int64_t count) const;

private:
    std::map<std::int64_t, Ending> by_count_;
    std::optional<Ending> other_;
};

}  // namespace sluice::effects
