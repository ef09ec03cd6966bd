// What is recorded of a request that has no record of its own in the webhook topic.
#include <algorithm>
#include <vector>

#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ingress/callbacks/callback_log.hpp"
#include "ingress/request/session.hpp"

namespace sluice::ingress {
namespace {

using callbacks::Cause;

/// Where the header is the secret itself, a wrong one may be yesterday's.
bool is_token(const webhook::Program& program) {
    return std::ranges::any_of(program.keys,
                               [](const auto& key) { return key.algorithm == webhook::Algorithm::equal; });
}

/// Those that the recipe reads, and those that say what was sent, and by what.
std::vector<webhook::HeaderField> kept_headers(const webhook::Program& program,
                                               std::span<const webhook::HeaderField> fields) {
    std::vector<webhook::HeaderField> kept;
    const auto keep = [&](std::string_view name) {
        if (const auto value = webhook::find_header(fields, name)) kept.push_back({name, *value});
    };
    keep("content-type");
    keep("user-agent");
    const auto& of_signature = program.inputs.front().names;
    for (const std::string& name : program.headers)
        if (!is_token(program) || !std::ranges::contains(of_signature, name)) keep(name);
    return kept;
}

std::optional<std::size_t> announced_size(const gate::Head& head) {
    if (head.framing.kind != gate::Framing::Kind::length) return std::nullopt;
    return head.framing.length;
}

}  // namespace

/// An event that was accepted is in the webhook topic, and is recorded from there.
void Session::record_callback(Outcome outcome, SteadyTime end) {
    if (!shard_.callbacks || outcome == Outcome::accepted) return;
    const webhook::Source& source = *now_.route->source;
    const bool is_authentic = now_.trace != nullptr;
    const Cause cause = is_authentic ? Cause::provider : Cause::anybody;
    if (!shard_.callbacks->takes(cause, source.name, name_of(outcome))) return;
    const bool was_read = now_.received_at != WallTime{};
    const std::string client_text = client().text();
    auto headers = kept_headers(*source.program, buffer_->head.fields());
    const bool is_kept = was_read && keeps_request(cause, headers);
    if (!is_kept) headers.clear();
    shard_.callbacks->add({.received_at = was_read ? now_.received_at : shard_.common.clock.wall(),
                           .source = source.name,
                           .verdict = name_of(outcome),
                           .reason = now_.reason,
                           .status = static_cast<unsigned>(answer_of(source.answers, outcome).status),
                           .client = client_text,
                           .trace = is_authentic ? now_.trace->trace_id() : std::string_view{},
                           .body_size = was_read ? now_.body.size() : announced_size(buffer_->head),
                           .took = std::chrono::duration_cast<std::chrono::microseconds>(end - now_.began),
                           .event = now_.event,
                           .headers = headers,
                           .body = is_kept ? std::optional{now_.body} : std::nullopt});
}

bool Session::keeps_request(callbacks::Cause cause, std::span<const webhook::HeaderField> headers) {
    const bool is_anybody = cause == Cause::anybody;
    if (now_.body.size() >
        (is_anybody ? callbacks::most_kept_of_anybody : callbacks::most_kept_of_a_provider))
        return false;
    std::size_t bytes = now_.body.size();
    for (const webhook::HeaderField& field : headers) bytes += field.name.size() + field.value.size();
    return shard_.callbacks->keeps(cause, bytes);
}

/// Nothing of it was read that could be trusted, or kept.
void Session::record_refusal(gate::Refusal refusal) {
    constexpr std::string_view verdict = "gate_refused";
    if (!shard_.callbacks) return;
    const std::string_view source = now_.route == nullptr ? std::string_view{} : now_.route->source->name;
    if (!shard_.callbacks->takes(Cause::anybody, source, verdict)) return;
    const gate::RefusalRow& row = gate::row_of(refusal);
    const std::string client_text = client().text();
    shard_.callbacks->add({.received_at = shard_.common.clock.wall(),
                           .source = source,
                           .verdict = verdict,
                           .reason = row.name,
                           .status = static_cast<unsigned>(row.status),
                           .client = client_text});
}

}  // namespace sluice::ingress
