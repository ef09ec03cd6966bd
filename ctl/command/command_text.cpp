#include "ctl/command/command_text.hpp"

#include <format>

#include "common/crypto/encoding.hpp"
#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

std::string state_of(const store::CommandRow& command) {
    const std::string state{store::name_of(command.state)};
    return command.state == store::CommandState::retryable ? state + ", may be tried again" : state;
}

std::string answer_of(const store::CommandRow& command) {
    return command.status ? std::to_string(*command.status) : "";
}

std::string kept_text(const store::CommandRow& command, WallTime now) {
    if (command.state == store::CommandState::in_progress)
        return command.has_expired ? "its owner is gone, and somebody asks what became of it" : "";
    if (command.has_expired) return "expired: its key is a new one";
    return "for another " + age_text(command.keep_until - now);
}

}  // namespace

Json to_json(const store::CommandRow& command) {
    Json json{{"digest", crypto::to_hex(crypto::as_text(command.key))},
              {"command", command.command},
              {"caller", command.caller},
              {"key", command.caller_key},
              {"state", std::string{store::name_of(command.state)}},
              {"retryable", command.state == store::CommandState::retryable},
              {"why", text_or_null(command.why)},
              {"status", command.status ? Json(*command.status) : Json(nullptr)},
              {"content_type", text_or_null(command.content_type)},
              {"response_bytes", command.response_bytes},
              {"begun_at", to_rfc3339(command.begun_at)},
              {"keep_until", to_rfc3339(command.keep_until)},
              {"has_expired", command.has_expired}};
    if (command.response) json["response"] = redact::masked_body(*command.response);
    return json;
}

Json to_json(const std::vector<store::CommandRow>& commands) {
    Json rows = Json::array();
    for (const auto& command : commands) rows.push_back(to_json(command));
    return {{"commands", std::move(rows)}};
}

std::string commands_table(const std::vector<store::CommandRow>& commands, WallTime now) {
    Table table{{"COMMAND", "CALLER", "KEY", "STATE", "STATUS", "AGE", "KEPT"}};
    for (const auto& command : commands) {
        table.row({command.command, command.caller, redact::without_control_bytes(command.caller_key),
                   state_of(command), answer_of(command), age_text(now - command.begun_at),
                   kept_text(command, now)});
        table.note(redact::without_control_bytes(command.why));
    }
    return table.text();
}

std::string to_people(const store::CommandRow& command, WallTime now) {
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty()) text += std::format("{:<12} {}\n", name, redact::without_control_bytes(value));
    };
    line("command", command.command);
    line("caller", command.caller);
    line("key", command.caller_key);
    line("digest", crypto::to_hex(crypto::as_text(command.key)));
    line("state", state_of(command));
    line("why", command.why);
    line("status", answer_of(command));
    line("begun", short_time(command.begun_at));
    line("kept", kept_text(command, now));
    if (command.response)
        text += std::format("\nresponse, {} bytes of {}, masked\n{}\n", command.response_bytes,
                            redact::without_control_bytes(command.content_type),
                            redact::masked_body(*command.response));
    return text;
}

}  // namespace sluice::ctl
