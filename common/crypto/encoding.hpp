#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/crypto/digest.hpp"

namespace sluice::crypto {

[[nodiscard]] std::string to_hex(std::string_view bytes);  ///< lower case
[[nodiscard]] std::string to_hex(const Digest& digest);
void append_hex(std::string& text, std::string_view bytes);  ///< lower case
/// Lower case, two characters for each byte of `bytes`, into the caller's memory.
void write_hex(char* out, std::string_view bytes) noexcept;

/// Even number of hex digits; nullopt for anything else. Upper case only where `any_case`.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text, bool any_case = false);
[[nodiscard]] std::optional<Digest> digest_from_hex(std::string_view text, bool any_case = false);

/// Without allocating: `out` has room for text.size() / 2 bytes. False for anything but an even number of hex
/// digits.
[[nodiscard]] bool read_hex(std::uint8_t* out, std::string_view text, bool any_case = false) noexcept;

/// RFC 4648 section 4, with padding, no line breaks. Decoding refuses whitespace, missing padding
/// and trailing bits that are not zero.
[[nodiscard]] std::string to_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);
/// The same without allocating: `out` has room for text.size() / 4 * 3 bytes; how many were written.
[[nodiscard]] std::optional<std::size_t> read_base64(std::uint8_t* out, std::string_view text) noexcept;

}  // namespace sluice::crypto
