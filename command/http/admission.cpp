#include "command/http/admission.hpp"

#include <algorithm>

#include "command/http/key_field.hpp"
#include "command/http/problem.hpp"
#include "common/webhook/gate/grammar.hpp"

namespace sluice::command {
namespace {

using Checked = std::expected<void, Reply>;

constexpr std::string_view key_header = "idempotency-key";

template <class... Of>
std::unexpected<Reply> refusal(Of... of) {
    return std::unexpected{reply_to(of...)};
}

/// application/json, with or without parameters: JSON has one encoding (RFC 8259 section 11).
bool is_json(const gate::Head& head) {
    const std::string_view type = gate::only_value(head, "content-type");
    return gate::equals(gate::trimmed(type.substr(0, type.find(';'))), "application/json");
}

Checked admit_look_up(const gate::Head& head) {
    using enum gate::Framing::Kind;
    const bool has_body = head.framing.kind == chunked || head.framing.length > 0;
    if (has_body) return refusal(Problem::body_not_taken, "");
    return {};
}

Checked admit_command(const gate::Head& head, std::size_t max_body) {
    using enum gate::Framing::Kind;
    if (head.framing.kind == none) return refusal(gate::Refusal::length_required);
    if (head.framing.kind == chunked) return refusal(gate::Refusal::chunked_not_allowed);
    if (head.framing.length > max_body) return refusal(gate::Refusal::body_too_large);
    if (!is_json(head)) return refusal(Problem::unsupported_media_type, "");
    return {};
}

auto count_of_keys(const gate::Head& head) {
    return std::ranges::count_if(head.fields(), [](const webhook::HeaderField& field) {
        return gate::equals(field.name, key_header);
    });
}

std::expected<std::string, Reply> key_in_header(const gate::Head& head) {
    const auto count = count_of_keys(head);
    if (count == 0)
        return refusal(
            Problem::key_missing,
            "Send Idempotency-Key: \"…\", a string that is the request's own and the same each time "
            "that it is sent.");
    if (count > 1) return refusal(Problem::key_malformed, "Idempotency-Key must be there once.");
    const auto key = read_key_field(key_field_of(head));
    if (!key) return refusal(Problem::key_malformed, key.error());
    return *key;
}

std::expected<std::string, Reply> key_in_body(const Target& target, const gate::Head& head,
                                              std::string_view body, const Commands& commands) {
    if (count_of_keys(head) > 0)
        return refusal(Problem::key_not_taken, "Send no Idempotency-Key with this command.");
    auto key = commands.key_of(target.name, body);
    if (!key) return refusal(Problem::refused, std::string_view{key.error()});
    return *std::move(key);
}

}  // namespace

std::expected<Target, Reply> admit(const gate::Head& head, std::size_t max_body) {
    auto target = read_target(head.path);
    if (!target) return refusal(Problem::no_such_resource, "");
    const bool is_look_up = target->key.has_value();
    if (head.method != (is_look_up ? "GET" : "POST"))
        return refusal(Problem::method_not_allowed, "", is_look_up ? "Allow: GET\r\n" : "Allow: POST\r\n");
    if (head.target.contains('?')) return refusal(Problem::query_not_taken, "");
    const Checked framed = is_look_up ? admit_look_up(head) : admit_command(head, max_body);
    if (!framed) return std::unexpected{framed.error()};
    return *std::move(target);
}

std::string_view key_field_of(const gate::Head& head) noexcept {
    return gate::only_value(head, key_header);
}

std::expected<Key, Reply> key_asked_for(const Target& target, std::string_view caller, const gate::Head& head,
                                        std::string_view body, const Commands& commands) {
    if (!commands.exists(target.name)) return refusal(Problem::unknown_command, "");
    Key key{target.name, std::string{caller}, target.key.value_or("")};
    if (target.key) return key;
    auto given = commands.takes_key_from_body(target.name) ? key_in_body(target, head, body, commands)
                                                           : key_in_header(head);
    if (!given) return std::unexpected{std::move(given.error())};
    key.key = *std::move(given);
    return key;
}

}  // namespace sluice::command
