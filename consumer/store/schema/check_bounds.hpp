#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::store {

/// A CHECK that compares one column with a whole number, such as `balance` >= 0.
struct CheckBound {
    std::string column;  ///< as the definition writes it
    bool is_least = false;
    bool is_inside = false;  ///< the number itself is allowed
    std::int64_t number = 0;
};

/// The CHECK constraints of a definition as SHOW CREATE TABLE gives it (MySQL and MariaDB); nullopt: one of
/// them is no CheckBound, or is not enforced, or cannot be read. Pure.
[[nodiscard]] std::optional<std::vector<CheckBound>> check_bounds_in(std::string_view definition);

}  // namespace sluice::store
