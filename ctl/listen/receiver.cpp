#include "ctl/listen/receiver.hpp"

#include "common/webhook/http/header_lookup.hpp"

namespace sluice::ctl {
namespace {

constexpr int unauthorized = 401;

Message::Signature signature_of(const webhook::Refusal& refusal, bool is_signed) {
    using enum webhook::Check;
    if (!is_signed) return Message::Signature::missing;
    const bool is_stale = refusal.check == too_old || refusal.check == too_new;
    return is_stale ? Message::Signature::stale : Message::Signature::wrong;
}

}  // namespace

Message Receiver::take(const webhook::Request& request, WallTime now) {
    const auto header = [&](std::string_view name) {
        return std::string{webhook::find_header(request.headers, name).value_or("")};
    };
    Message message{.at = now,
                    .source = header("sluice-source"),
                    .effect = header("sluice-effect"),
                    .key = header("webhook-id"),
                    .body = std::string{request.body}};
    if (message.key.empty()) message.key = header("idempotency-key");
    if (source_) check(request, message);
    message.answer = message.is_taken() ? answer_ : unauthorized;
    if (message.is_taken() && !message.key.empty()) message.is_again = seen_.add(message.key);
    return message;
}

void Receiver::check(const webhook::Request& request, Message& message) {
    const auto verdict = webhook::verify(*source_, request, message.at, scratch_);
    message.signature = Message::Signature::verified;
    if (verdict) return;
    const bool is_signed = webhook::find_header(request.headers, "webhook-signature").has_value();
    message.signature = signature_of(verdict.error(), is_signed);
    message.check = webhook::name_of(verdict.error().check);
}

}  // namespace sluice::ctl
