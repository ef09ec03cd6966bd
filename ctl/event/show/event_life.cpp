#include "ctl/event/show/event_life.hpp"

#include <algorithm>
#include <format>

#include "common/crypto/encoding.hpp"
#include "common/joined.hpp"
#include "common/record/header_names.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/callback/callback_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/entry/erased.hpp"
#include "ctl/entry/number_options.hpp"
#include "ctl/outbox/message_text.hpp"

namespace sluice::ctl {
namespace {

std::string_view value_of(const std::vector<std::pair<std::string, std::string>>& headers,
                          std::string_view name) {
    const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
    return found == headers.end() ? std::string_view{} : found->second;
}

std::optional<WallTime> providers_time(const EventLife& life) {
    return life.record ? from_rfc3339(value_of(life.record->headers, record::header::ce_time)) : std::nullopt;
}

/// Kafka's timestamps are whole milliseconds: one that lies within the millisecond in which the request
/// came says that it was that very one.
std::optional<WallTime> published_at(const EventLife& life) {
    if (!life.record) return std::nullopt;
    const WallTime received = life.row.received_at;
    const auto early = received - life.record->timestamp;
    const bool is_same = early > early.zero() && early < std::chrono::milliseconds{1};
    return is_same ? received : life.record->timestamp;
}

std::string after_text(std::chrono::microseconds after) {
    const double seconds = std::chrono::duration<double>(after).count();
    if (after < std::chrono::milliseconds{-1'000} || after >= std::chrono::seconds{1})
        return std::format("{:+.3f} s", seconds);
    return std::format("{:+.3f} ms", seconds * 1000);
}

std::string finished_as(const store::InboxRow& row) {
    switch (row.status) {
        case store::InboxStatus::done:
            return "effects committed in MySQL";
        case store::InboxStatus::ignored:
            return "committed: no effect matches this event";
        case store::InboxStatus::dead:
            return "given up, dead-lettered";
        case store::InboxStatus::skipped:
            return "skipped: finished without effects";
        case store::InboxStatus::rerun:
            return "effects committed in MySQL; others will follow";
        default:
            return "not finished";
    }
}

Json time_or_null(const std::optional<WallTime>& time) {
    return time ? Json(to_rfc3339(*time)) : Json(nullptr);
}

std::string payload_text(const EventLife& life) {
    if (!life.payload_bytes && life.erased) return erased_text(*life.erased);
    if (!life.payload_bytes) return "not archived";
    return std::format("archived, {} bytes", *life.payload_bytes);
}

std::string body_for_people(const EventLife& life) {
    if (!life.body) return {};
    const std::string sealed = life.sealed_because.empty() ? "" : ", sealed: " + life.sealed_because;
    return "\nbody      masked" + redact::without_control_bytes(sealed) + "\n" +
           redact::masked_body(*life.body) + "\n";
}

std::string facts_for_people(const EventLife& life) {
    const auto& row = life.row;
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<9} {}\n", name, value);
    };
    line("event", row.event_id);
    line("type", row.type);
    line("status", std::string{store::name_of(row.status)});
    line("source", row.source);
    if (const std::string run = reconciled_by(life); !run.empty())
        line("injected", "by reconciliation " + run);
    line("key", row.object_key);
    line("reference", row.reference);
    line("transaction", row.transaction);
    line("kafka", std::format("{}, partition {}, offset {}", row.topic, row.partition, row.offset));
    line("request", payload_text(life));
    if (row.had_effects) line("had", row.had_effects->empty() ? "no effect" : joined(*row.had_effects, ", "));
    line("dlq", dlq_text(row.dlq));
    line("error", row.error_class + (row.error_text.empty() ? "" : ": " + row.error_text));
    line("record", life.record ? "" : "not available: " + life.no_record_because);
    return text;
}

}  // namespace

std::vector<LifeStep> steps_of(const EventLife& life) {
    std::vector<LifeStep> steps{{"provider", "happened at the provider", providers_time(life), {}},
                                {"received", "the ingress had the request", life.row.received_at, {}},
                                {"published", "on its way to Kafka", published_at(life), {}},
                                {"finished", finished_as(life.row), life.row.finished_at, {}}};
    std::optional<WallTime> before;
    for (auto& step : steps) {
        if (before && step.at) step.after = *step.at - *before;
        if (step.at) before = step.at;
    }
    return steps;
}

std::string reconciled_by(const EventLife& life) {
    const auto& headers = life.record ? life.record->headers : life.archived_headers;
    return redact::without_control_bytes(std::string{value_of(headers, record::header::reconciled)});
}

std::string dlq_text(store::DlqRecord record) {
    switch (record) {
        case store::DlqRecord::none:
            return "owes none";
        case store::DlqRecord::owed:
            return "owed";
        case store::DlqRecord::sent:
            return "sent";
    }
    return {};
}

Json to_json(const EventLife& life) {
    const auto& row = life.row;
    Json steps = Json::array();
    for (const auto& step : steps_of(life)) {
        steps.push_back({{"step", step.name},
                         {"time", time_or_null(step.at)},
                         {"after_us", step.after ? Json(step.after->count()) : Json(nullptr)}});
    }
    Json json{{"id", row.event_id},
              {"type", row.type},
              {"status", std::string{store::name_of(row.status)}},
              {"source", row.source},
              {"reconciled_by", text_or_null(reconciled_by(life))},
              {"key", row.object_key},
              {"topic", row.topic},
              {"partition", row.partition},
              {"offset", row.offset},
              {"event_day", sluice::to_text(row.key.event_day)},
              {"dedup_key", crypto::to_hex(row.key.dedup_key)},
              {"payload_bytes", life.payload_bytes ? Json(*life.payload_bytes) : Json(nullptr)},
              {"erased", to_json(life.erased)},
              {"had_effects", row.had_effects ? Json(*row.had_effects) : Json(nullptr)},
              {"dlq", dlq_text(row.dlq)},
              {"error_class", text_or_null(row.error_class)},
              {"error_text", text_or_null(row.error_text)},
              {"no_record_because", text_or_null(life.no_record_because)},
              {"steps", std::move(steps)},
              {"trouble", life.trouble.is_empty() ? Json(nullptr) : to_json(life.trouble)}};
    json["messages"] = Json::array();
    for (const auto& message : life.messages) json["messages"].push_back(to_json(message));
    json["callbacks"] = Json::array();
    for (const auto& callback : life.callbacks) json["callbacks"].push_back(callback_json(callback));
    json["payload"] = life.body ? Json(redact::masked_body(*life.body)) : Json(nullptr);
    json["payload_sealed_because"] = text_or_null(life.sealed_because);
    add_numbers(json, row.reference, row.transaction);
    return json;
}

std::string to_people(const EventLife& life, WallTime now) {
    Table table{{"STEP", "TIME", "AFTER", ""}};
    for (const auto& step : steps_of(life)) {
        table.row({step.name, step.at ? to_rfc3339(*step.at) : "?", step.after ? after_text(*step.after) : "",
                   step.what});
    }
    const std::string trouble = to_people(life.trouble, now);
    const std::string messages = messages_table(life.messages, now);
    return facts_for_people(life) + "\n" + table.text() + (trouble.empty() ? "" : "\n" + trouble) +
           (messages.empty() ? "" : "\nmessages\n" + messages) +
           (life.callbacks.empty() ? "" : "\ncallbacks\n" + requests_table(life.callbacks)) +
           body_for_people(life);
}

}  // namespace sluice::ctl
