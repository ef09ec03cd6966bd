#include "command/config/bounds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice::command {
namespace {

using effects::As;

constexpr std::int64_t usual_longest = 255;
constexpr std::int64_t most_characters = 16'384;
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

As as_of(std::string_view type) {
    if (type == "integer") return As::int64;
    if (type == "boolean") return As::boolean;
    return type == "time" ? As::time : As::text;
}

std::int64_t required_integer(config::Section& section, std::string_view key) {
    if (!section.has(key)) section.problem(std::string{key} + " is missing: a number without bounds is none");
    return section.integer(key, 0, lowest, highest);
}

void read_range(config::Section& section, Bounds& bounds) {
    bounds.least = required_integer(section, "least");
    bounds.most = required_integer(section, "most");
    if (bounds.least > bounds.most) section.problem_at("most", "most is below least: nothing would do");
}

/// UTF-8, as the body's reader has checked.
std::int64_t characters_in(std::string_view text) {
    return std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0U) != 0x80U; });
}

constexpr std::int64_t longest_message_key = 128;  // of 4 bytes each: the outbox holds 512 bytes

void check_message_key(const config::Value& message, const std::vector<Bounded>& parameters) {
    const auto key = message.entry("key");
    if (!key) return;
    for (const auto& [parameter, bounds] : parameters)
        if (key->scalar() == ":" + parameter.name && bounds.longest > longest_message_key)
            key->problem("a message's key has at most 128 characters, and :" + parameter.name + " may have " +
                         std::to_string(bounds.longest) + ": give it longest: 128");
}

}  // namespace

void check_message_keys(const config::Value& effect, const std::vector<Bounded>& parameters) {
    const auto send = effect.entry("send");
    if (!send) return;
    check_message_key(*send, parameters);
    for (const auto& message : send->items()) check_message_key(message, parameters);
}

Bounded read_bounded(std::string name, config::Section section) {
    Bounded read{.parameter = {.name = std::move(name), .place = section.place()}, .bounds = {}};
    const auto at = section.required_text("at");
    const As as = as_of(section.one_of("type", {"text", "integer", "boolean", "time"}, "text"));
    if (as == As::int64) read_range(section, read.bounds);
    if (as == As::text) read.bounds.longest = section.integer("longest", usual_longest, 1, most_characters);
    read.parameter.optional = section.boolean("optional", false);
    auto pointer = webhook::Pointer::parse(at);
    if (!at.empty() && !pointer)
        section.problem_at("at", "'" + at + "' is no JSON pointer: it must start with /, as in /order/id");
    if (pointer) read.parameter.from.push_back({.pointer = std::move(*pointer), .conversion = {.as = as}});
    return read;
}

std::optional<std::string> objection_to(const store::Datum& value, const Bounded& allowed) {
    const auto& [parameter, bounds] = allowed;
    const std::string must = ":" + parameter.name + " must ";
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        if (characters_in(*text) <= bounds.longest) return std::nullopt;
        return must + "have at most " + std::to_string(bounds.longest) + " characters";
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || parameter.type() != effects::ParameterType::int64) return std::nullopt;
    if (*number >= bounds.least && *number <= bounds.most) return std::nullopt;
    return must + "be from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

}  // namespace sluice::command
