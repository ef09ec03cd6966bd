#include "consumer/effects/outcome/ending.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/joined.hpp"

namespace sluice::effects {
namespace {

constexpr std::string_view case_prefix = "park:";

/// What dead letters are for without a rule's word.
constexpr std::array<std::string_view, 15> classes_of_failures{
    "park",        "data",           "deferred",     "exhausted",    "unknown",
    "effect_gone", "undecodable",    "unreadable",   "conflict",     "too_old",
    "set_apart",   "source_unknown", "keys_changed", "inconsistent", "other"};

constexpr std::string_view class_rule =
    " is not a class of cases: use 1 to 32 of a-z, 0-9 and _, begin with a letter, and take no class of "
    "dead letters (data, deferred, exhausted, …)";

std::string in_quotes(std::string_view text) {
    return "'" + std::string{text} + "'";
}

/// {park: CLASS, reason: …}
Ending read_mapping(const config::Value& value, NameScope& names) {
    Ending ending;
    config::Section section{value};
    ending.case_class = section.required_text("park");
    if (!ending.case_class.empty() && !is_case_class(ending.case_class))
        section.problem_at("park", in_quotes(ending.case_class) + std::string{class_rule});
    if (const auto reason = section.value("reason")) ending.reason = Sentence::read(*reason, names);
    return ending;
}

Ending read_any(const config::Value& value, std::initializer_list<Outcome> allowed, NameScope& names) {
    if (value.is_mapping()) return read_mapping(value, names);
    auto ending = ending_from(value.scalar());
    if (!ending) {
        value.problem(ending.error());
        return {};
    }
    if (std::ranges::contains(allowed, ending->outcome)) return std::move(*ending);
    std::vector<std::string> words;
    for (const Outcome outcome : allowed) words.emplace_back(name_of(outcome));
    value.problem(in_quotes(value.scalar()) + " cannot be said here: use " + joined(words, ", ") +
                  " or {park: CLASS, reason: …}");
    return {};
}

}  // namespace

bool is_case_class(std::string_view text) noexcept {
    constexpr std::size_t longest = 32;
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && text.size() <= longest && is_letter(text.front()) &&
           std::ranges::all_of(text, may_follow) && !std::ranges::contains(classes_of_failures, text);
}

std::expected<Ending, std::string> ending_from(std::string_view text) {
    if (const auto outcome = outcome_from(text)) return Ending{.outcome = *outcome};
    if (!text.starts_with(case_prefix))
        return std::unexpected(in_quotes(text) +
                               " is not an outcome: use done, ignore, defer, retry, park or park:CLASS");
    const std::string_view name = text.substr(case_prefix.size());
    if (!is_case_class(name)) return std::unexpected(in_quotes(name) + std::string{class_rule});
    return Ending{.outcome = Outcome::park, .case_class = std::string{name}};
}

Ending read_ending(const config::Value& value, std::initializer_list<Outcome> allowed, NameScope& names) {
    auto ending = read_any(value, allowed, names);
    if (!ending.case_class.empty()) names.note_case(ending.case_class, value.place());
    return ending;
}

}  // namespace sluice::effects
