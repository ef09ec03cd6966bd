#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// The bytes of the well-formed UTF-8 sequence that `text` begins with; 0 when it begins with none
/// (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). `text` is not empty.
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace sluice
