#include <algorithm>
#include <array>
#include <cstdint>

#include "common/printable.hpp"
#include "common/telemetry/log.hpp"
#include "common/utf8.hpp"

namespace sluice {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

std::uint8_t byte_at(std::string_view text, std::size_t at) {
    return static_cast<std::uint8_t>(text[at]);
}

bool is_continuation(std::uint8_t byte) {
    return (byte & 0xC0) == 0x80;
}

/// `text` up to `limit` bytes, not ending inside a character.
std::string_view cut(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) return text;
    std::size_t end = limit;
    while (end > 0 && limit - end < 3 && is_continuation(byte_at(text, end))) --end;
    // Bytes that are not a character anyway are cut at the limit.
    return text.substr(0, end + utf8_sequence_length(text.substr(end)) > limit ? end : limit);
}

void append_unicode_escape(std::string& out, std::uint8_t code) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u00";
    out += digits[code >> 4];
    out += digits[code & 0x0F];
}

void append_escaped_ascii(std::string& out, char c) {
    switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            append_unicode_escape(out, static_cast<std::uint8_t>(c));
    }
}

// U+0080 to U+009F: JSON allows them, terminals obey them.
bool is_late_control(std::string_view sequence) {
    return sequence.size() == 2 && byte_at(sequence, 0) == 0xC2 && byte_at(sequence, 1) < 0xA0;
}

// U+2028 and U+2029: JSON allows them, but readers that split text at every Unicode line end see two lines.
bool is_line_end(std::string_view sequence) {
    return sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9";
}

constexpr auto plain = [] {
    std::array<bool, 256> table{};
    for (unsigned char c = ' '; c < 0x7F; ++c) table[c] = c != '"' && c != '\\';
    return table;
}();

bool is_plain(char c) {
    return plain[static_cast<unsigned char>(c)];
}

}  // namespace

std::string json_escaped(std::string_view text, std::size_t limit) {
    std::string out;
    append_json_escaped(out, text, limit);
    return out;
}

void append_json_escaped(std::string& out, std::string_view text, std::size_t limit) {
    text = cut(text, limit);
    if (is_plain_json(text)) {
        out += text;
        return;
    }
    for (;;) {
        const auto count = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
        out += text.substr(0, count);
        text.remove_prefix(count);
        if (text.empty()) break;
        const std::size_t length = utf8_sequence_length(text);
        const std::string_view sequence = text.substr(0, length);
        if (length == 0) {
            out += replacement;
        } else if (length == 1) {
            append_escaped_ascii(out, text.front());
        } else if (is_late_control(sequence)) {
            append_unicode_escape(out, byte_at(sequence, 1));
        } else if (is_line_end(sequence)) {
            out += sequence.back() == '\xA8' ? "\\u2028" : "\\u2029";
        } else {
            out += sequence;
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

}  // namespace sluice
