#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "common/webhook/http/request.hpp"

namespace sluice::webhook {

/// ASCII only: header names have no other letters, and no locale may change what matches.
[[nodiscard]] constexpr char lower_case(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

[[nodiscard]] constexpr bool is_same_name(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    if (a == b) return true;  // as most senders write it
    return std::ranges::equal(a, b, [](char x, char y) { return lower_case(x) == lower_case(y); });
}

/// The first header of that name.
[[nodiscard]] constexpr std::optional<std::string_view> find_header(std::span<const HeaderField> headers,
                                                                    std::string_view name) noexcept {
    for (const HeaderField& field : headers) {
        if (is_same_name(field.name, name)) return field.value;
    }
    return std::nullopt;
}

}  // namespace sluice::webhook
