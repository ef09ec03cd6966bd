#pragma once

#include <format>
#include <string>
#include <string_view>

namespace sluice::http {

/// RFC 3986 section 2.1, in upper case: everything but its unreserved characters.
[[nodiscard]] inline std::string percent_encoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        const bool is_plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                              std::string_view{"-._~"}.contains(c);
        encoded += is_plain ? std::string{c} : std::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

}  // namespace sluice::http
