#include <format>

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/entry/details.hpp"
#include "ctl/entry/erased.hpp"
#include "ctl/redact/readable_body.hpp"

// How ctl/entry/details.hpp is shown. Pure.
namespace sluice::ctl {
namespace {

constexpr std::size_t shown_of_a_body = 16 * 1024;

std::string waiting_text(const DeadLetterDetails& details) {
    if (!details.dead_letter.place) return "holds no lane";
    if (!details.dead_letter.is_open()) return "";
    if (details.waiting.count == 0) return "nothing waits behind it";
    return std::format("{} since {}", details.waiting.count,
                       details.waiting.since ? short_time(*details.waiting.since) : "?");
}

std::string facts_text(const DeadLetterDetails& details, WallTime now) {
    const auto& dead_letter = details.dead_letter;
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<9} {}\n", name, redact::without_control_bytes(value));
    };
    line("entry", std::format("{}, {}", dead_letter.id, course_text(dead_letter)));
    line("kind", std::string{store::name_of(dead_letter.kind)});
    line("event", dead_letter.event_id);
    line("type", dead_letter.type);
    line("source", dead_letter.source);
    line("key", dead_letter.object_key);
    line("reference", dead_letter.reference);
    line("transaction", dead_letter.transaction);
    line("kafka", std::format("{}, partition {}, offset {}", dead_letter.topic, dead_letter.partition,
                              dead_letter.offset));
    line("error",
         dead_letter.error_class +
             (dead_letter.error_text.empty() ? "" : ": " + redact::masked_text(dead_letter.error_text)));
    line("tries", std::to_string(dead_letter.attempts));
    line("opened",
         std::format("{}, {} ago", short_time(dead_letter.opened_at), age_text(now - dead_letter.opened_at)));
    if (dead_letter.first_died_at < dead_letter.opened_at)
        line("died", std::format("first {}, {} ago", short_time(dead_letter.first_died_at),
                                 age_text(now - dead_letter.first_died_at)));
    line("dlq", dead_letter.dlq_sent ? "sent" : dead_letter.is_open() ? "owed" : "owes none");
    line("behind it", waiting_text(details));
    return text;
}

std::string shown_body(const DeadLetterDetails& details) {
    if (details.dead_letter.kind == store::DeadLetterKind::message) return readable_body(*details.body);
    return details.opened ? *details.opened : *details.body;
}

std::string opening_text(const DeadLetterDetails& details) {
    if (details.opened) return ", its encrypted part opened as \"decrypted\"";
    return details.sealed_because.empty()
               ? ""
               : ", sealed: " + redact::without_control_bytes(details.sealed_because);
}

std::string body_text(const DeadLetterDetails& details) {
    if (!details.body && details.erased) return "payload   " + erased_text(*details.erased) + "\n";
    if (!details.body) return "payload   not available\n";
    std::string text =
        std::format("payload   {} bytes from {}{}{}, masked\n", details.body->size(), details.body_from,
                    details.edited ? ", edited by an operator" : "", opening_text(details));
    std::string body = redact::masked_body(shown_body(details));
    const std::size_t whole = body.size();
    if (whole > shown_of_a_body) {
        body.resize(shown_of_a_body);
        body = redact::without_control_bytes(body) +
               std::format("\n({} more bytes: --json prints all)", whole - shown_of_a_body);
    }
    return text + body + "\n";
}

Json waiting_json(const DeadLetterDetails& details) {
    if (!details.dead_letter.place || !details.dead_letter.is_open()) return nullptr;
    return {{"count", details.waiting.count},
            {"since", details.waiting.since ? Json(to_rfc3339(*details.waiting.since)) : Json(nullptr)}};
}

Json headers_json(const DeadLetterDetails& details) {
    Json headers = Json::array();
    for (const auto& [name, value] : redact::masked_headers(details.headers))
        headers.push_back({name, value});
    return headers;
}

}  // namespace

Json to_json(const DeadLetterDetails& details) {
    Json json = to_json(details.dead_letter);
    json["waiting_behind"] = waiting_json(details);
    json["payload"] = details.body ? Json(redact::masked_body(shown_body(details))) : Json(nullptr);
    json["payload_bytes"] = details.body ? Json(details.body->size()) : Json(nullptr);
    json["payload_from"] = details.body_from.empty() ? Json(nullptr) : Json(details.body_from);
    json["payload_opened"] = details.opened.has_value();
    json["payload_sealed_because"] =
        details.sealed_because.empty() ? Json(nullptr) : Json(details.sealed_because);
    json["erased"] = to_json(details.erased);
    json["edited"] = details.edited;
    json["headers"] = headers_json(details);
    json["history"] = to_json(details.trouble);
    return json;
}

std::string to_people(const DeadLetterDetails& details, WallTime now) {
    return facts_text(details, now) + "\n" + to_people(details.trouble, now) + "\n" + body_text(details);
}

}  // namespace sluice::ctl
