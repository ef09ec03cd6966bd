#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "common/webhook/http/form_encoding.hpp"

namespace sluice::webhook {

/// A parameter of the target's query, still encoded: the value of the last one with that name.
struct QueryValue {
    std::size_t count = 0;
    std::string_view encoded{};
};

/// Whether `encoded` stands for `name`, which has up to 64 bytes.
[[nodiscard]] constexpr bool is_encoded_name(std::string_view encoded, std::string_view name) noexcept {
    if (encoded == name) return true;  // as providers write it
    std::array<char, 3 * 64> room{};
    if (encoded.size() > room.size()) return false;
    const auto size = decode_form_text(encoded, room.data());
    return size && std::string_view{room.data(), *size} == name;
}

/// Names are compared decoded, as later readers of the parameter see them.
[[nodiscard]] constexpr QueryValue find_in_query(std::string_view target, std::string_view name) noexcept {
    QueryValue found;
    const std::size_t mark = target.find('?');
    if (mark == std::string_view::npos) return found;
    std::string_view rest = target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(pair.size() < rest.size() ? pair.size() + 1 : rest.size());
        const std::size_t split = pair.find('=');
        if (!is_encoded_name(pair.substr(0, split), name)) continue;
        ++found.count;
        found.encoded = split == std::string_view::npos ? pair.substr(pair.size()) : pair.substr(split + 1);
    }
    return found;
}

}  // namespace sluice::webhook
