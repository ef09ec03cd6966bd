#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sluice::verify {

/// The value that `ordinals` lead to, as it is written in `text`: valid JSON without whitespace
/// outside strings. Each ordinal counts the members or elements of one container, in document
/// order. Text that is no such JSON gives an unspecified part of it, never bytes outside.
[[nodiscard]] std::string_view value_at(std::string_view text, std::span<const std::size_t> ordinals);

/// How many containers are open at once in `text`, which may be no JSON at all: then the figure
/// means nothing, and the parse will say so.
[[nodiscard]] std::size_t nesting_of(std::string_view text);

}  // namespace sluice::verify
