#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::webhook {

/// Valid JSON and where its structure is: the places of every brace, bracket, colon and comma outside
/// strings and of the first character of every scalar, in order (what simdjson's first stage finds).
struct JsonStructure {
    std::string_view text;
    std::span<const std::uint32_t> places;
};

/// The value that `ordinals` lead to, as it is written: from its first to its last character. Each ordinal
/// counts the members or elements of one container, in document order. Ordinals that lead nowhere give an
/// unspecified part of the text, never bytes outside.
[[nodiscard]] std::string_view value_at(const JsonStructure& json, std::span<const std::size_t> ordinals);

/// The elements of the array that `ordinals` lead to, each as it is written, in order.
[[nodiscard]] std::vector<std::string_view> elements_at(const JsonStructure& json,
                                                        std::span<const std::size_t> ordinals);

/// How many containers are open at once in `text`, which may not be JSON at all: then the number
/// means nothing, and the parse will say so.
[[nodiscard]] std::size_t nesting_of(std::string_view text);

}  // namespace sluice::webhook
