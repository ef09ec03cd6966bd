#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

struct Bound {
    std::string text;
    std::vector<std::string> names;
};

/// Reads a statement letter by letter, as MySQL's manual says of quotes and comments. Nothing where it has to
/// be refused: a ? of its own, a comment that servers run, a quote or comment that is not closed.
[[nodiscard]] std::optional<Bound> second_reading(std::string_view statement);

}  // namespace sluice::fuzz
