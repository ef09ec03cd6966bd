#include "ctl/verify/verdict.hpp"

#include "common/time_text.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/signature/challenge.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/verify/gate_view.hpp"
#include "ctl/verify/request_file.hpp"

namespace sluice::ctl {
namespace {

Verdict answered(bool accepted, const webhook::Answer& answer, std::string check, std::string reason) {
    return {.accepted = accepted,
            .status = answer.status,
            .body = answer.body,
            .check = std::move(check),
            .reason = std::move(reason),
            .key_id = {},
            .events = {}};
}

Verdict refused_by_gate(int status, const std::string& clause) {
    return {.accepted = false,
            .status = status,
            .body = {},
            .check = clause,
            .reason = "gate: " + clause,
            .key_id = {},
            .events = {}};
}

/// What a GET gets that asks whether the address is ours; nothing for any other request.
std::optional<Verdict> answered_challenge(const webhook::Source& source, const webhook::Request& request,
                                          WallTime now) {
    if (request.method != "GET") return std::nullopt;
    auto text = webhook::answer_challenge(source, request.target, now);
    if (!text) return std::nullopt;
    Verdict verdict =
        answered(true, {.status = 200, .content_type = "text/plain", .body = *text}, "", "challenge");
    verdict.key_id = text->substr(0, text->find('|'));
    return verdict;
}

Verdict::Event event_of(const webhook::Extracted& extracted) {
    const auto& headers = extracted.headers;
    return {.id = headers.event_id,
            .type = headers.type,
            .object = headers.object,
            .ordering_key = extracted.ordering_key,
            .time = headers.occurred_at ? to_rfc3339(*headers.occurred_at) : std::string{}};
}

Verdict refused(const webhook::Source& source, const webhook::Refusal& refusal) {
    const std::string check{webhook::name_of(refusal.check)};
    return answered(false, source.answers.bad_signature, check, check + ": " + refusal.sentence());
}

Verdict authentic(const webhook::Source& source, const webhook::Request& request, std::string_view key_id) {
    Verdict verdict = answered(true, source.answers.success, "", "authentic");
    verdict.key_id = std::string{key_id};
    const auto quarantined = [&](const std::string& what, const webhook::Unread& unread) {
        verdict.reason =
            "authentic, but " + what + " cannot be read, so it goes to quarantine: " + unread.why;
    };
    webhook::JsonView view;
    if (!source.has_items) {
        const auto extracted = webhook::extract(source, request, view);
        if (extracted) verdict.events.push_back(event_of(*extracted));
        if (!extracted) quarantined("it", extracted.error());
        return verdict;
    }
    webhook::JsonView element;
    const auto items = webhook::extract_items(source, request, view, element);
    if (!items) quarantined("it", items.error());
    for (std::size_t i = 0; items && i < items->size(); ++i) {
        const auto& event = (*items)[i].event;
        if (event) verdict.events.push_back(event_of(*event));
        if (!event) quarantined("item " + std::to_string(i), event.error());
    }
    return verdict;
}

}  // namespace

Verdict judge_admitted(const webhook::Source& source, const webhook::Request& request, WallTime now) {
    if (request.body.size() > source.max_body) {
        const std::string most = std::to_string(source.max_body);
        return answered(false, source.answers.too_large, "body_too_large",
                        "the body has more than " + most + " bytes");
    }
    webhook::Scratch scratch;
    const auto outcome = webhook::verify(source, request, now, scratch, /*explain=*/true);
    return outcome ? authentic(source, request, outcome->key_id) : refused(source, outcome.error());
}

Verdict judge(const webhook::Source& source, std::string_view request_text, WallTime now) {
    const auto file = parse_request_file(request_text);
    if (!file) return refused_by_gate(400, file.error());
    if (auto verdict = answered_challenge(source, file->request, now)) return *verdict;
    const GateView gate = look_through_gate(*file, source);
    if (gate.refused_with != 0) return refused_by_gate(gate.refused_with, gate.why);
    Verdict verdict = judge_admitted(source, file->request, now);
    for (const auto& remark : gate.remarks) verdict.reason += "; " + remark;
    return verdict;
}

Json to_json(const Verdict& verdict) {
    Json events = Json::array();
    for (const auto& event : verdict.events) {
        events.push_back({{"id", event.id},
                          {"type", event.type},
                          {"object", text_or_null(event.object)},
                          {"key", event.ordering_key},
                          {"time", text_or_null(event.time)}});
    }
    return {{"accepted", verdict.accepted},
            {"status", verdict.status},
            {"body", verdict.body},
            {"reason", verdict.reason},
            {"key", text_or_null(verdict.key_id)},
            {"events", std::move(events)}};
}

std::string to_people(const Verdict& verdict) {
    std::string text = std::string{verdict.accepted ? "accepted" : "refused"} + ", answer " +
                       std::to_string(verdict.status) + "\n" + verdict.reason + "\n";
    if (!verdict.key_id.empty()) text += "signed with key " + verdict.key_id + "\n";
    if (verdict.events.empty()) return text;
    Table table{{"EVENT", "TYPE", "OBJECT", "ORDERING KEY", "TIME"}};
    for (const auto& e : verdict.events) table.row({e.id, e.type, e.object, e.ordering_key, e.time});
    return text + "\n" + table.text();
}

}  // namespace sluice::ctl
