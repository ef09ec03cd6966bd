#include "consumer/store/inbox/effect_names.hpp"

#include <charconv>
#include <format>
#include <iterator>
#include <stdexcept>

namespace sluice::store {
namespace {

[[noreturn]] void refuse_effects() {
    throw std::runtime_error("lane_event: effects is not a list of names");
}

void append_quoted(std::string& out, std::string_view name) {
    out.push_back('"');
    for (const char c : name) {
        if (static_cast<unsigned char>(c) < 0x20) {
            std::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
            continue;
        }
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    out.push_back('"');
}

void take_char(std::string_view& text, char expected) {
    if (!text.starts_with(expected)) refuse_effects();
    text.remove_prefix(1);
}

/// The character behind a backslash.
char take_escaped(std::string_view& text) {
    if (text.starts_with('"') || text.starts_with('\\')) {
        const char c = text.front();
        text.remove_prefix(1);
        return c;
    }
    unsigned code = 0x20;
    const auto digits = text.substr(0, 5);
    if (digits.size() == 5 && digits.front() == 'u') {
        std::from_chars(digits.data() + 1, digits.data() + digits.size(), code, 16);
    }
    if (code >= 0x20) refuse_effects();
    text.remove_prefix(digits.size());
    return static_cast<char>(code);
}

std::string take_quoted(std::string_view& text) {
    std::string name;
    take_char(text, '"');
    while (!text.starts_with('"')) {
        if (text.empty()) refuse_effects();
        const char c = text.front();
        text.remove_prefix(1);
        name.push_back(c == '\\' ? take_escaped(text) : c);
    }
    text.remove_prefix(1);
    return name;
}

}  // namespace

std::vector<std::string> not_matched_yet() {
    return {""};
}

bool is_matched(std::span<const std::string> names) noexcept {
    return names.size() != 1 || !names.front().empty();
}

std::string effects_text(std::span<const std::string> names) {
    std::string text{"["};
    for (const auto& name : names) {
        if (text.size() > 1) text.push_back(',');
        append_quoted(text, name);
    }
    return text + "]";
}

std::vector<std::string> effects_from(std::string_view text) {
    std::vector<std::string> names;
    take_char(text, '[');
    while (!text.starts_with(']')) {
        if (!names.empty()) take_char(text, ',');
        names.push_back(take_quoted(text));
    }
    if (text != "]") refuse_effects();
    return names;
}

}  // namespace sluice::store
