#include "common/utf8.hpp"

#include <cstdint>

#include "common/printable.hpp"

namespace sluice {

std::size_t utf8_sequence_length(std::string_view text) {
    const auto byte_at = [text](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    const std::uint8_t lead = byte_at(0);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() < length) return 0;
    std::uint8_t lowest = 0x80;
    std::uint8_t highest = 0xBF;
    if (lead == 0xE0) lowest = 0xA0;
    if (lead == 0xED) highest = 0x9F;
    if (lead == 0xF0) lowest = 0x90;
    if (lead == 0xF4) highest = 0x8F;
    if (byte_at(1) < lowest || byte_at(1) > highest) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte_at(i) & 0xC0) != 0x80) return 0;
    }
    return length;
}

bool is_utf8(std::string_view text) {
    if (is_printable(text)) return true;
    while (!text.empty()) {
        const std::size_t length = utf8_sequence_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace sluice
