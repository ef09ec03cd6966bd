#include "command/config/call_definition.hpp"

#include <algorithm>
#include <charconv>
#include <format>
#include <string_view>

#include "command/config/answers.hpp"
#include "common/config/settings/host_port.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

/// The record is written twice beside the request.
constexpr Milliseconds beside_the_request{5'000};

std::string read_url(config::Section& section) {
    std::string url = section.required_text("url");
    const bool is_url = url.starts_with("https://") || url.starts_with("http://");
    if (!url.empty() && (!is_url || std::ranges::any_of(url, [](char c) { return c <= ' ' || c > '~'; })))
        section.problem_at("url",
                           "url must begin with https:// or http://, such as http://refunds/v1/refunds");
    return url;
}

std::optional<int> status_in(std::string_view text) {
    int status = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return status >= 200 && status <= 599 ? std::optional{status} : std::nullopt;
}

std::vector<int> read_statuses(config::Section& section, std::string_view key, std::vector<int> fallback) {
    if (!section.has(key)) return fallback;
    std::vector<int> statuses;
    for (const std::string& text : section.texts(key)) {
        if (const auto status = status_in(text))
            statuses.push_back(*status);
        else
            section.problem_at(key, "'" + text + "' is no status: it must be from 200 to 599");
    }
    return statuses;
}

/// What is `listed`, and what always belongs to it.
std::vector<int> with(std::vector<int> listed, const std::vector<int>& always) {
    for (const int status : always)
        if (!std::ranges::contains(listed, status)) listed.push_back(status);
    return listed;
}

void read_meanings(config::Section& section, CallDefinition& call) {
    call.not_executed = with(read_statuses(section, "not_executed", {}), call.not_executed);
    if (std::ranges::any_of(call.not_executed, [](int status) { return status < 300; }))
        section.problem_at("not_executed", "a status below 300 cannot mean that nothing was done");
    call.unknown = with(read_statuses(section, "unknown", {}), call.unknown);
    for (const int status : call.not_executed)
        if (std::ranges::contains(call.unknown, status))
            section.problem(std::format(
                "status {} cannot be both: unknown always has 408 and 425, and not_executed 429", status));
}

/// What a gateway says, or a service that is busy, is no word about the call; nor is a redirect.
void check_words(config::Section& section, std::string_view key, const std::vector<int>& statuses) {
    if (statuses.empty()) section.problem_at(key, std::string{key} + " is empty: the query would never tell");
    for (const int status : statuses)
        if (!is_storable(status) || says_again(status))
            section.problem_at(
                key,
                std::format("status {} cannot say that: {} takes 200 to 299 and 400 to 499, but not 408, "
                            "425 and 429",
                            status, key));
}

CallQuery read_query(config::Section section) {
    CallQuery query{.url = read_url(section),
                    .found = read_statuses(section, "found", {200}),
                    .absent = read_statuses(section, "absent", {404})};
    if (!query.url.empty() && !query.url.contains(":key"))
        section.problem_at("url", "url must have :key in it, as in http://refunds/v1/refunds/:key");
    check_words(section, "found", query.found);
    check_words(section, "absent", query.absent);
    for (const int status : query.found)
        if (std::ranges::contains(query.absent, status))
            section.problem_at("absent", "status " + std::to_string(status) + " is in found as well");
    return query;
}

}  // namespace

std::unique_ptr<const CallDefinition> read_call(config::Section section) {
    auto call = std::make_unique<CallDefinition>();
    call->url = read_url(section);
    if (call->url.contains(":key"))
        section.problem_at("url", "only the url of query has :key; a call's key is in Idempotency-Key");
    for (auto& one : section.sections("secrets"))
        if (auto secret = one.secret("value")) call->secrets.push_back(std::move(*secret));
    if (call->secrets.empty())
        section.warn("no secrets: calls are not signed, and the service cannot tell them from anybody's");
    call->allowed = config::read_blocks(section, "allow");
    call->ca_file = section.text("ca_file", "");
    call->within = section.duration("within", call->within, 100ms, 60s);
    call->lease = section.duration("lease", call->within + 25s, call->within + beside_the_request, 1h);
    call->concurrency = static_cast<int>(section.integer("concurrency", call->concurrency, 1, 64));
    if (section.one_of("record", {"mysql", "redis"}, "mysql") == "redis")
        call->record = CallDefinition::Record::redis;
    read_meanings(section, *call);
    if (section.has("query")) call->query = read_query(section.section("query"));
    return call;
}

}  // namespace sluice::command
