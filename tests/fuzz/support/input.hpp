#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) noexcept {
    return size == 0 ? std::string_view{} : std::string_view{reinterpret_cast<const char*>(data), size};
}

/// The parts between separators; one part more than there are separators.
[[nodiscard]] inline std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

}  // namespace sluice::fuzz
