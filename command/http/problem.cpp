#include "command/http/problem.hpp"

#include <array>
#include <format>
#include <utility>

#include "common/telemetry/log.hpp"

namespace sluice::command {
namespace {

using enum Problem;

// In the order of the enumeration: a row is found by its number.
constexpr auto table = std::to_array<ProblemRow>({
    {no_such_resource, 404, "no_such_resource", "There is nothing at this path"},
    {method_not_allowed, 405, "method_not_allowed", "This path does not take the method"},
    {query_not_taken, 400, "query_not_taken", "Commands take no query"},
    {body_not_taken, 400, "body_not_taken", "A look-up has no body"},
    {unsupported_media_type, 415, "unsupported_media_type", "The body must be application/json"},
    {not_authenticated, 401, "not_authenticated", "The caller is unknown or the signature is wrong"},
    {unknown_command, 404, "unknown_command", "There is no such command"},
    {key_missing, 400, "key_missing", "The request has no idempotency key"},
    {key_malformed, 400, "key_malformed", "The idempotency key cannot be read"},
    {key_not_taken, 400, "key_not_taken", "The command makes its key of the body"},
    {refused, 400, "refused", "The parameters are refused"},
    {in_progress, 409, "in_progress", "A request with this key is in progress"},
    {key_reused, 422, "key_reused", "The key was used for another request"},
    {limited, 429, "limited", "The caller or the account is over its limit"},
    {failed, 500, "failed", "The command failed and was undone"},
    {unavailable, 503, "unavailable", "It is not known whether the command was executed"},
    {busy, 503, "busy", "Too many requests are in progress"},
    {not_executed, 503, "not_executed", "Nothing was executed"},
    {not_known, 502, "not_known", "Nobody knows whether the command was executed"},
});

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (std::to_underlying(table[i].problem) != i) return false;
    return table.back().problem == not_known;
}
static_assert(in_order());

std::string body_of(std::string_view name, std::string_view title, int status, std::string_view detail) {
    std::string body =
        std::format(R"({{"type":"urn:sluice:problem:{}","title":"{}","status":{})", name, title, status);
    if (!detail.empty()) {
        body += R"(,"detail":")";
        append_json_escaped(body, detail, std::string_view::npos);
        body += '"';
    }
    return body += '}';
}

Reply problem_detail(int status, std::string_view name, std::string body, std::string_view fields) {
    return {status, "application/problem+json", std::move(body), std::string{fields}, name};
}

}  // namespace

std::string retry_after(SteadyTime::duration wait) {
    return std::format("Retry-After: {}\r\n", std::chrono::ceil<std::chrono::seconds>(wait).count());
}

const ProblemRow& row_of(Problem problem) noexcept {
    return table[std::to_underlying(problem)];
}

std::span<const ProblemRow> all_problems() noexcept {
    return table;
}

Reply reply_to(Problem problem, std::string_view detail, std::string_view fields) {
    const ProblemRow& row = row_of(problem);
    return problem_detail(row.status, row.name, body_of(row.name, row.title, row.status, detail), fields);
}

Reply reply_to(gate::Refusal refusal) {
    const gate::RefusalRow& row = gate::row_of(refusal);
    return problem_detail(row.status, row.name, body_of(row.name, "The request was not read", row.status, ""),
                          "");
}

}  // namespace sluice::command
