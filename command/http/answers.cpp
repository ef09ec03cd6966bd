#include "command/http/answers.hpp"

#include <algorithm>
#include <format>
#include <string_view>

#include "command/http/problem.hpp"
#include "command/http/target.hpp"
#include "common/http/grammar.hpp"
#include "common/telemetry/log.hpp"
#include "common/time_text.hpp"

namespace sluice::command {
namespace {

constexpr std::string_view not_kept = "Cache-Control: no-store\r\n";

std::string location_of(const Key& key) {
    return std::format("Location: {}\r\n", path_of(key));
}

/// As it was stored. A type that would break the head is none.
Reply stored(const Response& response, std::string_view decision, std::string fields) {
    const bool is_sound = std::ranges::all_of(response.content_type, http::is_value_character);
    return {response.status, is_sound ? response.content_type : "application/octet-stream", response.body,
            std::move(fields), decision};
}

Reply begun(const Key& key) {
    return {202, "application/json", R"({"state":"in_progress"})", location_of(key), "goes_on"};
}

void append_text(std::string& json, std::string_view name, std::string_view text) {
    json += std::format(R"("{}":")", name);
    append_json_escaped(json, text, std::string_view::npos);
    json += '"';
}

void append_response(std::string& json, const Response& response) {
    json += std::format(R"(,"response":{{"status":{},)", response.status);
    append_text(json, "content_type", response.content_type);
    json += ',';
    append_text(json, "body", response.body);
    json += '}';
}

void append_failure(std::string& json, const Standing& standing) {
    json += standing.is_retryable ? R"(,"retryable":true,)" : R"(,"retryable":false,)";
    append_text(json, "why", standing.why);
}

std::string_view name_of(Standing::State state) {
    switch (state) {
        case Standing::State::in_progress:
            return "in_progress";
        case Standing::State::done:
            return "done";
        case Standing::State::failed:
            return "failed";
        case Standing::State::absent:
            break;
    }
    return "absent";
}

}  // namespace

Reply reply_to(const Answer& answer, const Key& key) {
    using enum Answer::Kind;
    switch (answer.kind) {
        case executed:
            return stored(answer.response, "executed", "Idempotency-Replayed: false\r\n");
        case replayed:
            return stored(answer.response, "replayed", "Idempotency-Replayed: true\r\n");
        case goes_on:
            return begun(key);
        case accepted:
            return stored(answer.response, "accepted", location_of(key));
        case in_progress:
            return reply_to(Problem::in_progress, answer.why, std::string{retry_soon} + location_of(key));
        case mismatch:
            return reply_to(Problem::key_reused, answer.why);
        case refused:
            return reply_to(Problem::refused, answer.why);
        case failed:
            return reply_to(Problem::failed, answer.why);
        case not_executed:
            return reply_to(Problem::not_executed, answer.why, retry_soon);
        case not_known:
            return reply_to(Problem::not_known, answer.why, location_of(key));
        case unavailable:
            break;
    }
    return reply_to(Problem::unavailable, answer.why, std::string{retry_soon} + location_of(key));
}

Reply reply_to(const Standing& standing) {
    std::string json = std::format(R"({{"state":"{}")", name_of(standing.state));
    if (standing.state != Standing::State::absent && standing.since != WallTime{})
        json += std::format(R"(,"since":"{}")", to_rfc3339(standing.since));
    if (standing.state == Standing::State::done) append_response(json, standing.response);
    if (standing.state == Standing::State::failed) append_failure(json, standing);
    return {200, "application/json", json + '}', std::string{not_kept}, "looked_up", name_of(standing.state)};
}

}  // namespace sluice::command
