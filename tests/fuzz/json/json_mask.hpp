#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::fuzz {

/// Stands for an escaped half of a surrogate pair: U+FDD0, which Unicode keeps for a program's own use.
inline constexpr std::string_view half_pair_escape = "\\ufdd0";
inline constexpr std::string_view half_pair = "\xEF\xB7\x90";

/// Copies `text` to `copy`, which is as long. What JSON allows (RFC 8259) but simdjson's DOM cannot hold gets
/// a stand-in of the same length: an integer beyond 64 bits the largest of 64 bits, a number beyond a double
/// 0.0, both padded with spaces; an escaped half of a surrogate pair `half_pair_escape`. So every token keeps
/// its place and its type. Returns how many there were. Text that is not JSON never becomes JSON by it.
[[nodiscard]] std::size_t mask_beyond_dom(std::string_view text, char* copy);

/// Whether a string, as written with its quotes, holds an escaped half of a surrogate pair.
[[nodiscard]] bool has_half_pair(std::string_view written);

}  // namespace sluice::fuzz
