#include "common/record/source_keys.hpp"

#include <algorithm>
#include <format>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::record {
namespace {

constexpr std::string_view id_line = "id";
constexpr std::string_view between_alternatives = " | ";
constexpr std::size_t digits_of_one = 16;  // of a stamp

/// One line of `made_of`.
struct Rule {
    std::string_view what;
    std::string_view where;
};

std::vector<Rule> rules_of(std::string_view made_of) {
    std::vector<Rule> rules;
    while (!made_of.empty()) {
        const std::string_view line = made_of.substr(0, made_of.find('\n'));
        made_of.remove_prefix(std::min(line.size() + 1, made_of.size()));
        const std::size_t colon = std::min(line.find(": "), line.size());
        rules.push_back({line.substr(0, colon), line.substr(std::min(colon + 2, line.size()))});
    }
    return rules;
}

std::string_view where_in(const std::vector<Rule>& rules, std::string_view what) {
    const auto found = std::ranges::find(rules, what, &Rule::what);
    return found == rules.end() ? std::string_view{} : found->where;
}

bool goes_on(std::string_view shorter, std::string_view longer) {
    return longer.starts_with(shorter) && longer.substr(shorter.size()).starts_with(between_alternatives);
}

bool is_same(const Rule& rule, std::string_view other) {
    if (rule.where == other) return true;
    return rule.what == id_line && (goes_on(rule.where, other) || goes_on(other, rule.where));
}

/// The lines that differ, in the order of `before`; a line that only one of them has differs too.
std::vector<std::string> differing_lines(const SourceKeys& before, const SourceKeys& now,
                                         std::string_view word = "now") {
    std::vector<std::string> lines;
    const auto then = rules_of(before.made_of);
    const auto today = rules_of(now.made_of);
    const auto add = [&](std::string_view what, std::string_view was, std::string_view is) {
        lines.push_back(std::format("{}: {}, {} {}", what, was, word, is));
    };
    for (const Rule& rule : then) {
        const std::string_view is = where_in(today, rule.what);
        if (!is_same(rule, is)) add(rule.what, rule.where, is);
    }
    for (const Rule& rule : today)
        if (where_in(then, rule.what).empty()) add(rule.what, "", rule.where);
    return lines;
}

bool is_same_account(const SourceKeys& a, const SourceKeys& b) {
    return a.provider == b.provider && a.principal == b.principal;
}

bool contradicts(const SourceKeys& before, const SourceKeys& now) {
    if (is_same_account(before, now)) return !differing_lines(before, now).empty();
    return before.path == now.path;
}

}  // namespace

std::vector<KeyChange> changed_keys(std::span<const SourceKeys> before, std::span<const SourceKeys> now) {
    std::vector<KeyChange> changes;
    for (const SourceKeys& one : now) {
        const auto found =
            std::ranges::find_if(before, [&](const SourceKeys& known) { return contradicts(known, one); });
        if (found != before.end()) changes.push_back({*found, one});
    }
    return changes;
}

std::vector<SourceKeys> news_of(std::span<const SourceKeys> before, std::span<const SourceKeys> now) {
    std::vector<SourceKeys> news;
    for (const SourceKeys& one : now) {
        const auto known = std::ranges::find(before, one.path, &SourceKeys::path);
        // Of two compatible ones the longer one says more.
        if (known == before.end() || one.made_of.size() > known->made_of.size()) news.push_back(one);
    }
    return news;
}

std::string difference_of(const KeyChange& change, std::string_view word) {
    std::string text;
    const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    const auto& [before, now] = change;
    const auto compare = [&](std::string_view what, std::string_view was, std::string_view is) {
        if (was != is) add(std::format("{} {}, {} {}", what, was, word, is));
    };
    compare("provider", before.provider, now.provider);
    compare("principal", before.principal, now.principal);
    for (const std::string& line : differing_lines(before, now, word)) add(line);
    return text;
}

std::string keys_changed(std::span<const KeyChange> changes) {
    const KeyChange& first = changes.front();
    // The page first: log lines are cut.
    std::string text = "the keys of events would change (docs/upgrade.md): at " + first.now.path + " " +
                       difference_of(first);
    if (changes.size() > 1) text += " (and " + std::to_string(changes.size() - 1) + " more paths)";
    return text +
           ". Redeliveries could be applied twice or out of order: revert the change, or follow \"What keys "
           "are made of\"";
}

std::string keys_digest(std::string_view made_of) {
    const std::string text = std::string{made_of} + '\n';
    return crypto::to_hex(crypto::as_text(crypto::sha256(text))).substr(0, digits_of_one);
}

std::string_view stamp_up_to(std::string_view stamp, std::size_t place) {
    return stamp.substr(0, digits_of_one * (place + 1));
}

bool stamps_agree(std::string_view a, std::string_view b) {
    const std::size_t shorter = std::min(a.size(), b.size());
    return shorter >= digits_of_one && a.substr(0, shorter) == b.substr(0, shorter);
}

}  // namespace sluice::record
