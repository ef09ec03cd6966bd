#include "common/failpoint_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <ranges>

namespace sluice {
namespace {

using Action = FailpointRule::Action;

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || error != std::errc{} || at != end) return std::nullopt;
    return value;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
}

bool read_action(std::string_view text, FailpointRule& rule) {
    constexpr std::string_view delay = "delay:";
    if (text.starts_with(delay)) {
        const auto milliseconds = number<std::uint32_t>(text.substr(delay.size()));
        rule.action = Action::delay;
        rule.delay = std::chrono::milliseconds{milliseconds.value_or(0)};
        return milliseconds.has_value();
    }
    constexpr std::array<std::pair<std::string_view, Action>, 3> plain{
        {{"kill", Action::kill}, {"stop", Action::stop}, {"error", Action::error}}};
    const auto found = std::ranges::find(plain, text, &std::pair<std::string_view, Action>::first);
    if (found == plain.end()) return false;
    rule.action = found->second;
    return true;
}

bool read_trigger(std::string_view text, FailpointRule& rule) {
    if (text.starts_with('p')) {
        const auto probability = number<double>(text.substr(1));
        if (!probability || !(*probability >= 0 && *probability <= 1)) return false;
        rule.probability = *probability;
        return true;
    }
    const bool onwards = text.ends_with('+');
    if (onwards) text.remove_suffix(1);
    const auto hit = number<std::uint64_t>(text);
    if (!hit || *hit == 0) return false;
    rule.from_hit = *hit;
    if (!onwards) rule.to_hit = *hit;
    return true;
}

bool read_rule(std::string_view text, FailpointRule& rule) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !is_name(text.substr(0, equals))) return false;
    rule.name = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    const auto at = text.find('@');
    if (!read_action(text.substr(0, at), rule)) return false;
    return at == std::string_view::npos || read_trigger(text.substr(at + 1), rule);
}

}  // namespace

std::expected<std::vector<FailpointRule>, std::string> parse_failpoints(std::string_view text) {
    std::vector<FailpointRule> rules;
    if (text.empty()) return rules;
    for (const auto part : std::views::split(text, ';')) {
        const std::string_view entry{part.begin(), part.end()};
        if (!read_rule(entry, rules.emplace_back())) {
            return std::unexpected("SLUICE_FAILPOINTS: \"" + std::string{entry} +
                                   "\" is not name=kill|stop|error|delay:MILLISECONDS, then nothing, @N, "
                                   "@N+ or @pPROBABILITY");
        }
    }
    return rules;
}

}  // namespace sluice
