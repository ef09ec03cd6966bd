#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/webhook/body/json_tokens.hpp"

/// The bytes of a document's values.
namespace sluice::webhook {

/// A value's own bytes, from its first to its last character.
[[nodiscard]] std::string_view written_at(const JsonTokens& json, JsonExtent value);

/// Those of each element of an array, in order.
[[nodiscard]] std::vector<std::string_view> elements_at(const JsonTokens& json, JsonExtent array);

/// How far beyond the end `without_space` reads and writes.
inline constexpr std::size_t copied_at_once = 32;

/// A value's own bytes without the white space between them: in `target`, which has as much room as it takes
/// and `copied_at_once` more, or where they are. As much can be read beyond the text's end.
[[nodiscard]] std::string_view without_space(const JsonTokens& json, JsonExtent value, char* target);

}  // namespace sluice::webhook
