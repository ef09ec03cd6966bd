#include "ctl/outbox/message_text.hpp"

#include <format>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"
#include "ctl/redact/readable_body.hpp"

namespace sluice::ctl {

Json to_json(const store::MessageRow& message) {
    Json json{{"id", message.id},
              {"destination", message.destination},
              {"key", message.key ? Json(*message.key) : Json(nullptr)},
              {"idempotency_key", crypto::to_hex(message.idempotency_key)},
              {"effect", message.effect},
              {"source", message.source},
              {"event_id", message.event_id},
              {"type", message.event_type},
              {"state", std::string{store::name_of(message.state)}},
              {"attempts", message.attempts},
              {"written_at", to_rfc3339(message.created_at)},
              {"due_at", to_rfc3339(message.due_at)},
              {"finished_at", message.finished_at ? Json(to_rfc3339(*message.finished_at)) : Json(nullptr)},
              {"error_text", text_or_null(message.error_text)},
              {"body_bytes", message.body_bytes}};
    if (message.body) json["body"] = redact::masked_body(readable_body(*message.body));
    return json;
}

Json to_json(const store::MessageCount& count) {
    return {{"destination", count.destination},
            {"state", std::string{store::name_of(count.state)}},
            {"count", count.count},
            {"oldest", to_rfc3339(count.oldest)}};
}

std::string standing_text(const store::MessageRow& message, WallTime now) {
    std::string text{store::name_of(message.state)};
    const bool is_put_off = message.state == store::MessageState::waiting && message.due_at > now;
    return is_put_off ? text + ", again in " + age_text(message.due_at - now) : text;
}

std::string messages_table(const std::vector<store::MessageRow>& messages, WallTime now) {
    if (messages.empty()) return {};
    Table table{{"ID", "DESTINATION", "KEY", "EFFECT", "EVENT", "TRIES", "AGE", "STATE"}};
    for (const auto& message : messages) {
        table.row({std::to_string(message.id), message.destination, message.key.value_or("none"),
                   message.effect, message.event_id, std::to_string(message.attempts),
                   age_text(now - message.created_at), standing_text(message, now)});
        table.note(redact::without_control_bytes(message.error_text));
    }
    return table.text();
}

std::string counts_table(const std::vector<store::MessageCount>& counts, WallTime now) {
    Table table{{"DESTINATION", "STATE", "MESSAGES", "OLDEST"}};
    for (const auto& count : counts)
        table.row({count.destination, std::string{store::name_of(count.state)}, std::to_string(count.count),
                   age_text(now - count.oldest)});
    return table.text();
}

std::string to_people(const store::MessageRow& message, WallTime now) {
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<12} {}\n", name, redact::without_control_bytes(value));
    };
    line("message", std::to_string(message.id));
    line("destination", message.destination);
    line("key", message.key.value_or("none: in no order"));
    line("state", standing_text(message, now));
    line("tries", std::to_string(message.attempts));
    line("error", message.error_text);
    line("written", short_time(message.created_at));
    line("finished", message.finished_at ? short_time(*message.finished_at) : "");
    line("effect", message.effect);
    line("event", message.event_id + ", " + message.event_type + ", of " + message.source);
    line("idempotency", crypto::to_hex(message.idempotency_key));
    if (message.body)
        text += std::format("\nbody, {} bytes, masked\n{}\n", message.body_bytes,
                            redact::masked_body(readable_body(*message.body)));
    return text;
}

}  // namespace sluice::ctl
