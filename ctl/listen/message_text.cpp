#include "ctl/listen/message_text.hpp"

#include <format>

#include "common/redact/payload.hpp"
#include "common/time_text.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/cli/time_words.hpp"

namespace sluice::ctl {
namespace {

constexpr std::size_t shown_of_a_name = 64;
constexpr std::size_t shown_of_a_key = 12;
constexpr std::size_t shown_of_a_body = 16 * 1024;

std::string_view name_of(Message::Signature signature) {
    switch (signature) {
        using enum Message::Signature;
        case verified:
            return "verified";
        case missing:
            return "not signed";
        case wrong:
            return "wrong signature";
        case stale:
            return "stale";
        case unchecked:
            return "not checked";
    }
    return "";
}

/// A field of a line: never empty, never long, never two lines.
std::string shown(std::string_view text, std::size_t most = shown_of_a_name) {
    return text.empty() ? "-" : redact::without_control_bytes(text.substr(0, most));
}

std::string signature_text(const Message& message) {
    const std::string name{name_of(message.signature)};
    const bool is_plain = message.check.empty() || message.signature == Message::Signature::missing;
    return is_plain ? name : name + " (" + message.check + ")";
}

std::string_view seen_text(const Message& message) {
    if (!message.is_taken()) return "refused";
    return message.is_again ? "again" : "new";
}

/// Each line of it is indented, so that none looks like the next message.
std::string indented_body(std::string_view body) {
    std::string text = "    ";
    for (const char c : redact::without_control_bytes(body.substr(0, shown_of_a_body))) {
        text += c;
        if (c == '\n') text += "    ";
    }
    if (body.size() > shown_of_a_body)
        text += std::format("\n    ({} more bytes: --json prints all)", body.size() - shown_of_a_body);
    return text + "\n";
}

}  // namespace

std::string message_text(const Message& message, bool show_body) {
    const std::string line =
        std::format("{}  {}  {}  {}  {}  {}  {} bytes  answered {}\n", short_time(message.at),
                    shown(message.effect), shown(message.source), shown(message.key, shown_of_a_key),
                    signature_text(message), seen_text(message), message.body.size(), message.answer);
    return show_body && !message.body.empty() ? line + indented_body(message.body) : line;
}

std::string message_json(const Message& message, bool show_body) {
    Json json{{"time", to_rfc3339(message.at)},
              {"effect", text_or_null(message.effect)},
              {"source", text_or_null(message.source)},
              {"key", text_or_null(message.key)},
              {"signature", name_of(message.signature)},
              {"check", text_or_null(message.check)},
              {"seen", seen_text(message)},
              {"bytes", message.body.size()},
              {"answer", message.answer}};
    if (show_body) json["body"] = message.body;
    return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::ctl
