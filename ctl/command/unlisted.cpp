#include "ctl/command/unlisted.hpp"

#include <algorithm>
#include <format>
#include <string_view>
#include <vector>

#include "common/joined.hpp"

namespace sluice::ctl {
namespace {

std::string text_of(const config::Value& mapping, std::string_view key) {
    const auto value = mapping.entry(key);
    return value ? value->scalar() : "";
}

std::vector<config::Value> listed(const config::Document& document, std::string_view section) {
    const auto list = document.value(section);
    return list ? list->items() : std::vector<config::Value>{};
}

std::vector<std::string> texts_of(const config::Document& document, std::string_view section,
                                  std::string_view key) {
    std::vector<std::string> texts;
    for (const auto& one : listed(document, section)) texts.push_back(text_of(one, key));
    return texts;
}

bool is_on_redis(const config::Value& command) {
    const auto call = command.entry("call");
    return call && text_of(*call, "record") == "redis";
}

/// `what` is asked for and the file has others.
std::string not_there(std::string_view what, const std::string& asked, std::vector<std::string> known) {
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    if (asked.empty() || known.empty() || std::ranges::contains(known, asked)) return "";
    return std::format("The file has no {} {}. It has: {}.\n", what, asked, joined(known, ", "));
}

}  // namespace

std::string what_is_unknown(const config::Document& document, const AskedFor& asked) {
    return not_there("command", asked.command, texts_of(document, "commands", "name")) +
           not_there("caller with the principal", asked.caller, texts_of(document, "callers", "principal"));
}

std::string why_unlisted(const config::Document& document, const AskedFor& asked) {
    std::vector<std::string> on_redis;
    for (const auto& command : listed(document, "commands")) {
        const std::string name = text_of(command, "name");
        const bool is_asked_for = asked.command.empty() || asked.command == name;
        if (is_asked_for && is_on_redis(command)) on_redis.push_back(name);
    }
    std::string why = what_is_unknown(document, asked);
    if (!on_redis.empty())
        why +=
            std::format("Not shown, since their records are on Redis: {}. Their callers can look them up.\n",
                        joined(on_redis, ", "));
    return why;
}

}  // namespace sluice::ctl
