#include "ctl/entry/history.hpp"

#include <algorithm>
#include <format>

#include "common/crypto/encoding.hpp"
#include "common/joined.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/entry/number_options.hpp"

namespace sluice::ctl {
namespace {

std::string hex_of(const store::ActionId& id) {
    return crypto::to_hex(std::string_view{reinterpret_cast<const char*>(id.data()), id.size()});
}

std::string with_text(const std::string& head, const std::string& text) {
    return text.empty() ? head : head + ": " + redact::without_control_bytes(redact::masked_text(text));
}

Json time_json(const std::optional<WallTime>& time) {
    return time ? Json(to_rfc3339(*time)) : Json(nullptr);
}

HistoryLine first_failure_of(const store::DeadLetterRow& dead_letter) {
    return {dead_letter.first_failed_at, "failed for the first time"};
}

HistoryLine opening_of(const store::DeadLetterRow& dead_letter) {
    const std::string what =
        dead_letter.kind == store::DeadLetterKind::dead
            ? std::format("given up after {} {}, class {}", dead_letter.attempts,
                          dead_letter.attempts == 1 ? "attempt" : "attempts", dead_letter.error_class)
        : dead_letter.kind == store::DeadLetterKind::rule_case
            ? std::format("left to a person, class {}", dead_letter.error_class)
            : std::format("set aside as {}", store::name_of(dead_letter.kind));
    return {dead_letter.opened_at,
            with_text(std::format("entry {}: {}", dead_letter.id, what), dead_letter.error_text)};
}

HistoryLine closing_of(const store::DeadLetterRow& dead_letter) {
    return {*dead_letter.closed_at,
            std::format("entry {}: closed as {}", dead_letter.id, course_text(dead_letter))};
}

HistoryLine line_of(const store::ActionRow& action) {
    const bool is_refused = action.answer == store::ActionAnswer::refused;
    const std::string answer = is_refused ? ", refused: " + action.why : "";
    const auto& approval = action.approval;
    const std::string both = approval ? ", approved by " + approval->operator_name : "";
    return {action.carried_out_at,
            with_text(
                std::format("{} by {}{}{}", store::name_of(action.kind), action.operator_name, both, answer),
                approval ? action.reason + " / " + approval->reason : action.reason)};
}

Json approval_json(const std::optional<store::ActionApproval>& approval) {
    if (!approval) return nullptr;
    return {{"operator", approval->operator_name},
            {"reason", approval->reason},
            {"approved_at", to_rfc3339(approval->approved_at)}};
}

std::string times(int count, std::string_view what) {
    return std::format("{} {} {}", what, count, count == 1 ? "time" : "times");
}

}  // namespace

std::vector<HistoryLine> history_of(const Trouble& trouble) {
    std::vector<HistoryLine> lines;
    for (const auto& dead_letter : trouble.dead_letters) {
        if (&dead_letter == trouble.dead_letters.data() && dead_letter.kind == store::DeadLetterKind::dead)
            lines.push_back(first_failure_of(dead_letter));
        lines.push_back(opening_of(dead_letter));
        if (dead_letter.closed_at) lines.push_back(closing_of(dead_letter));
    }
    for (const auto& action : trouble.actions) lines.push_back(line_of(action));
    std::ranges::stable_sort(lines, {}, &HistoryLine::at);
    return lines;
}

std::string standing_text(const store::LaneEventRow& row) {
    std::string text{lane::name_of(row.row.status)};
    if (row.row.attempts > 0) text += ", " + times(row.row.attempts, "tried");
    if (row.row.deferrals > 0) text += ", " + times(row.row.deferrals, "deferred");
    const bool waits_for_time =
        row.row.status == lane::Status::retry || row.row.status == lane::Status::deferred;
    if (waits_for_time) text += ", due " + short_time(row.row.due_at);
    if (row.effects_missing_since)
        text += ", its source or an effect has been missing since " + short_time(*row.effects_missing_since);
    if (row.row.lets_pass) text += ", lets later events pass";
    if (row.edited) text += ", edited by an operator";
    return text;
}

Json to_json(const store::ActionRow& action) {
    return {{"id", hex_of(action.id)},
            {"run", action.run ? Json(hex_of(*action.run)) : Json(nullptr)},
            {"action", std::string{store::name_of(action.kind)}},
            {"answer", std::string{store::name_of(action.answer)}},
            {"why", action.why.empty() ? Json(nullptr) : Json(action.why)},
            {"dead_letter", action.dead_letter ? Json(*action.dead_letter) : Json(nullptr)},
            {"operator", action.operator_name},
            {"reason", action.reason},
            {"database_user", action.database_user},
            {"host", action.host},
            {"requested_at", to_rfc3339(action.requested_at)},
            {"carried_out_at", to_rfc3339(action.carried_out_at)},
            {"body_sha256", action.body_sha256 ? Json(crypto::to_hex(*action.body_sha256)) : Json(nullptr)},
            {"approval", approval_json(action.approval)}};
}

Json to_json(const store::LaneEventRow& row) {
    const bool ever_due = row.row.due_at != WallTime{};
    Json json{
        {"position", row.row.position},
        {"status", std::string{lane::name_of(row.row.status)}},
        {"event_id", row.event_id},
        {"type", row.type},
        {"attempts", row.row.attempts},
        {"lets_pass", row.row.lets_pass},
        {"deferrals", row.row.deferrals},
        {"due_at", ever_due ? Json(to_rfc3339(row.row.due_at)) : Json(nullptr)},
        {"first_failed_at", time_json(row.row.first_failed_at)},
        {"effects", store::is_matched(row.effects) ? Json(row.effects) : Json(nullptr)},
        {"effects_missing_since", time_json(row.effects_missing_since)},
        {"error_class", row.error_class.empty() ? Json(nullptr) : Json(row.error_class)},
        {"error_text", row.error_text.empty() ? Json(nullptr) : Json(redact::masked_text(row.error_text))},
        {"topic", row.topic},
        {"partition", row.partition},
        {"offset", row.offset},
        {"appended_at", to_rfc3339(row.appended_at)},
        {"edited", row.edited}};
    add_numbers(json, row.reference, row.transaction);
    return json;
}

Json to_json(const store::LaneSummary& lane) {
    return {{"object_key", lane.object_key},
            {"lane_key", crypto::to_hex(lane.key)},
            {"state", std::string{lane::name_of(lane.state)}},
            {"unfinished", lane.unfinished},
            {"since", time_json(lane.since)},
            {"error_class", lane.error_class.empty() ? Json(nullptr) : Json(lane.error_class)},
            {"generation", lane.wakeup.gen},
            {"wakeup_due", time_json(lane.wakeup.due)},
            {"wakeup_sent", lane.wakeup.sent},
            {"updated_at", to_rfc3339(lane.updated_at)}};
}

Json to_json(const Trouble& trouble) {
    Json dead_letters = Json::array();
    for (const auto& dead_letter : trouble.dead_letters) dead_letters.push_back(to_json(dead_letter));
    Json actions = Json::array();
    for (const auto& action : trouble.actions) actions.push_back(to_json(action));
    return {{"lane", trouble.lane ? to_json(*trouble.lane) : Json(nullptr)},
            {"row", trouble.row ? to_json(*trouble.row) : Json(nullptr)},
            {"entries", std::move(dead_letters)},
            {"actions", std::move(actions)}};
}

std::string to_people(const Trouble& trouble, WallTime now) {
    std::string text;
    if (trouble.lane && trouble.row) {
        text += std::format("lane      {}, {} unfinished{}\n", lane::name_of(trouble.lane->state),
                            trouble.lane->unfinished,
                            trouble.lane->since ? " since " + short_time(*trouble.lane->since) : "");
        text += std::format("stands    at position {}: {}\n", trouble.row->row.position,
                            standing_text(*trouble.row));
        text +=
            "effects   " +
            (store::is_matched(trouble.row->effects) ? joined(trouble.row->effects, ", ") : "not known yet") +
            "\n";
    }
    const auto lines = history_of(trouble);
    if (lines.empty()) return text;
    Table table{{"TIME", "AGO", "WHAT"}};
    for (const auto& line : lines) table.row({short_time(line.at), age_text(now - line.at), line.what});
    return text + (text.empty() ? "" : "\n") + table.text();
}

}  // namespace sluice::ctl
