#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace sluice::command {

inline constexpr std::size_t longest_key = 255;  ///< bytes

/// Whether a key can be named by a path: 1 to 255 bytes, and neither "." nor "..", which clients resolve.
[[nodiscard]] constexpr bool is_key(std::string_view key) noexcept {
    return !key.empty() && key.size() <= longest_key && key != "." && key != "..";
}

/// The key in a field Idempotency-Key: a string of RFC 8941 section 3.3.3 and nothing behind it
/// (draft-ietf-httpapi-idempotency-key-header section 2.1). The error is a sentence that says what would be
/// right. Pure.
[[nodiscard]] std::expected<std::string, std::string_view> read_key_field(std::string_view value);

}  // namespace sluice::command
