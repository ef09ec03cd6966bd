#pragma once

#include <string>
#include <string_view>

namespace sluice::webhook {

/// A JSON string with its quotes. Bytes that are not UTF-8 stay as they are, so that the parser of the result
/// refuses them.
inline void append_json_string(std::string& json, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    json += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') json += '\\';
        if (byte >= 0x20) {
            json += c;
            continue;
        }
        json += "\\u00";
        json += digits[byte >> 4];
        json += digits[byte & 0x0f];
    }
    json += '"';
}

}  // namespace sluice::webhook
