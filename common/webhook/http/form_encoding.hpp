#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice::webhook {

/// Decodes one name or value of application/x-www-form-urlencoded (WHATWG URL, section 5.1) into `out`,
/// which has room for `encoded.size()` bytes: + is a space, %XX a byte. Stricter than the standard: a %
/// without two hex digits is nothing, not itself.
[[nodiscard]] constexpr std::optional<std::size_t> decode_form_text(std::string_view encoded,
                                                                    char* out) noexcept {
    constexpr auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::size_t size = 0;
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        char c = encoded[i] == '+' ? ' ' : encoded[i];
        if (c == '%') {
            if (i + 2 >= encoded.size()) return std::nullopt;
            const int high = digit(encoded[i + 1]);
            const int low = digit(encoded[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        out[size++] = c;
    }
    return size;
}

}  // namespace sluice::webhook
