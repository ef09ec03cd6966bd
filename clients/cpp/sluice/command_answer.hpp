// What sluice-command's answers mean to who sends a command. Nothing here does I/O (docs/clients.md).
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/beast/http.hpp>
#include <boost/json.hpp>

namespace sluice {

/// What sluice-command says where it has no response of the command.
struct Problem {
    int status = 0;
    std::string name;  // "in_progress", "key_reused" and so on, of command/openapi.yaml
    std::string detail;
};

struct Response {
    int status = 0;  // the command's own: too little money may be a 409
    std::string content_type;
    std::string body;
};

/// The command was executed once, and this is its first response.
struct Done {
    Response response;
    bool is_replayed = false;  // it was stored before this request
};

/// Nothing was executed by this call. The same again would be refused again.
struct Refused {
    Problem problem;
};

/// Perhaps the command was executed, perhaps it will be: not a failure. Look the key up, or send the same
/// body with the same key.
struct Unknown {
    std::optional<Problem> problem;  // the last one that was told; empty: there was no answer
};

using Outcome = std::variant<Done, Refused, Unknown>;

/// What became of a key.
struct Standing {
    std::string state;                 // "absent", "in_progress", "done" or "failed"
    std::optional<Response> response;  // where it is done
    std::optional<Problem> problem;    // where it failed and nobody knows whether it was executed
};

/// Make the key once for what you want done, and keep it with the body until you know the outcome.
struct Command {
    std::string name;
    std::optional<std::string> key;  // empty: the command makes its key of the body
    std::string body;
};

namespace client {

namespace http = boost::beast::http;
using std::chrono::milliseconds;
using Answer = http::response<http::string_body>;

/// Another attempt is due.
struct Again {
    std::optional<Problem> problem{};
    milliseconds after{0};
    bool surely_not = false;  // nothing was executed by this attempt
    std::string look_up{};    // ask there in place of sending it again
};
using Judged = std::variant<Done, Refused, Unknown, Again>;

inline std::string type_of(const Answer& answer) {
    const std::string_view value = answer[http::field::content_type];
    std::string type{value.substr(0, value.find_first_of("; "))};
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
    return type;
}

inline milliseconds retry_after(const Answer& answer) {
    const std::string_view value = answer[http::field::retry_after];
    const bool is_number =
        !value.empty() && value.size() <= 9 && value.find_first_not_of("0123456789") == value.npos;
    return std::chrono::seconds{is_number ? std::stol(std::string{value}) : 0};
}

/// Empty where it is not of this type, or no object.
inline boost::json::object json_of(const Answer& answer, std::string_view type) {
    boost::system::error_code error;
    const auto value =
        type_of(answer) == type ? boost::json::parse(answer.body(), error) : boost::json::value{};
    return !error && value.is_object() ? value.get_object() : boost::json::object{};
}

inline std::string text_of(const boost::json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string{value->get_string()} : "";
}

inline std::optional<Problem> problem_of(const Answer& answer) {
    constexpr std::string_view ours = "urn:sluice:problem:";
    const auto said = json_of(answer, "application/problem+json");
    const std::string type = text_of(said, "type");
    if (!type.starts_with(ours)) return std::nullopt;
    return Problem{static_cast<int>(answer.result_int()), type.substr(ours.size()), text_of(said, "detail")};
}

/// Where we are sent: a path of sluice-command's own, else nothing.
inline std::string location_of(const Answer& answer) {
    const std::string_view place = answer[http::field::location];
    const bool is_ours =
        place.starts_with("/v1/commands/") && std::ranges::all_of(place, [](unsigned char c) {
            return std::isalnum(c) ||
                   std::string_view{"-._~%/"}.find(static_cast<char>(c)) != std::string_view::npos;
        });
    return std::string{is_ours ? place : ""};
}

/// 408, 425 and 429 are never a command's own.
inline bool is_early(const Answer& answer) {
    const unsigned status = answer.result_int();
    return status == 408 || status == 425 || status == 429;
}

/// An answer without a response of the command. What sluice-command would not say counts as no answer.
inline Judged judge(const Answer& answer) {
    const auto problem = problem_of(answer);
    const bool early = is_early(answer);
    if (problem && problem->name == "not_known") return Unknown{problem};
    if (problem && !early && problem->status < 500 && problem->name != "in_progress")
        return Refused{*problem};
    return Again{problem, retry_after(answer), problem && (early || problem->name == "busy")};
}

/// What one answer to a command means. A response of the command has the mark, whatever its status.
inline Judged judge_sent(const Answer& answer, const std::vector<std::string>& own) {
    const unsigned status = answer.result_int();
    if ((status / 100 != 2 && status / 100 != 4) || is_early(answer)) return judge(answer);
    const std::string_view mark = answer["Idempotency-Replayed"];
    if (mark == "true" || mark == "false") {
        const bool is_own = status == 204 || std::ranges::find(own, type_of(answer)) != own.end();
        if (!is_own) return Again{.after = retry_after(answer)};
        return Done{{static_cast<int>(status), type_of(answer), answer.body()}, mark == "true"};
    }
    if (status < 300 && answer.count(http::field::location))
        return Again{.after = retry_after(answer), .look_up = location_of(answer)};
    return judge(answer);
}

/// Empty: this is no answer to a look-up.
inline std::optional<Standing> standing_of(const Answer& answer) {
    const auto said =
        answer.result_int() == 200 ? json_of(answer, "application/json") : boost::json::object{};
    Standing standing{text_of(said, "state"), {}, {}};
    if (standing.state.empty()) return std::nullopt;
    const auto* retryable = said.if_contains("retryable");
    if (standing.state == "failed" && retryable && *retryable == false)
        standing.problem = Problem{502, "not_known", text_of(said, "why")};
    if (standing.state != "done") return standing;
    const auto* first = said.if_contains("response");
    const auto* status = first && first->is_object() ? first->get_object().if_contains("status") : nullptr;
    if (!status || !status->is_int64()) return std::nullopt;
    const auto& response = first->get_object();
    standing.response = {static_cast<int>(status->get_int64()), text_of(response, "content_type"),
                         text_of(response, "body")};
    return standing;
}

/// What a look-up says of a command that was sent. Absent, or failed without a problem: it was undone, so it
/// is sent again.
inline Judged judge_standing(const Answer& answer, const std::string& location) {
    const auto standing = standing_of(answer);
    Judged judged = standing ? Judged{Again{.after = retry_after(answer)}} : judge(answer);
    if (standing && standing->response) return Done{*standing->response, true};
    if (standing && standing->problem) return Unknown{standing->problem};
    if (auto* again = std::get_if<Again>(&judged); again && (!standing || standing->state == "in_progress"))
        *again = {again->problem, again->after, false, location};
    return judged;
}

}  // namespace client
}  // namespace sluice
