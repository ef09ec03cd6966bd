#include "common/crypto/encoding.hpp"
#include "common/record/event_record.hpp"
#include "common/record/header_names.hpp"
#include "common/record/packed_header.hpp"
#include "common/time_text.hpp"

namespace sluice::record {
namespace {

std::size_t most_text(const EventHeaders& event) {
    constexpr std::size_t digests_times_day_and_item = 3 * 64 + 2 * 27 + 10 + 10;
    std::size_t bytes = digests_times_day_and_item + event.provider.size() + 1 + event.principal.size();
    for (const auto& [name, value] : event.http) bytes += header::http_prefix.size() + name.size();
    return bytes;
}

}  // namespace

template <class Write>
std::string_view EncodedHeaders::written(Write write) {
    const std::size_t before = text_.size();
    write(text_);
    return std::string_view{text_}.substr(before);
}

template <class Write>
void EncodedHeaders::add_written(std::string_view name, Write write) {
    add(name, written(write));
}

void EncodedHeaders::add_cloud_event(const EventHeaders& event) {
    add(header::ce_specversion, header::cloud_events_version);
    add(header::ce_id, event.event_id);
    add_written(header::ce_source,
                [&](std::string& text) { text.append(event.provider).append("/").append(event.principal); });
    add(header::ce_type, event.type);
    if (!event.object.empty()) add(header::ce_subject, event.object);
    if (event.occurred_at)
        add_written(header::ce_time, [&](std::string& text) { append_rfc3339(text, *event.occurred_at); });
    add(header::content_type, event.content_type);
    add(header::traceparent, event.traceparent);
    if (!event.tracestate.empty()) add(header::tracestate, event.tracestate);
}

void EncodedHeaders::add_packed(const EventHeaders& event) {
    add_written(header::packed, [&](std::string& text) { append_packed(text, event); });
    add(header::traceparent, event.traceparent);
    if (!event.tracestate.empty()) add(header::tracestate, event.tracestate);
}

void EncodedHeaders::add_separate(const EventHeaders& event) {
    text_.reserve(most_text(event));
    add_cloud_event(event);
    add(header::source, event.source);
    add(header::provider, event.provider);
    add(header::principal, event.principal);
    add(header::livemode, event.livemode ? "true" : "false");
    const auto add_digest = [&](std::string_view name, const crypto::Digest& digest) {
        add_written(name, [&](std::string& text) { crypto::append_hex(text, crypto::as_text(digest)); });
    };
    add_digest(header::dedup_key, event.dedup_key);
    add_digest(header::digest, event.content_digest);
    if (event.event_day == undated)
        add(header::event_day, header::no_event_day);
    else
        add_written(header::event_day, [&](std::string& text) { append_day(text, event.event_day); });
    add_written(header::received_at, [&](std::string& text) { append_rfc3339(text, event.received_at); });
    add(header::key_id, event.key_id);
    if (!event.trust.empty()) add(header::trust, event.trust);
    if (event.item)
        add_written(header::item, [&](std::string& text) { text.append(std::to_string(*event.item)); });
    if (event.original) add_digest(header::original, *event.original);
    for (const auto& [name, value] : event.http)
        add(written([&](std::string& text) { text.append(header::http_prefix).append(name); }), value);
    if (!event.keys.empty()) add(header::keys, event.keys);
    if (!event.client.empty()) add(header::client, event.client);
}

std::span<const HeaderView> EncodedHeaders::encode(const EventHeaders& event) {
    views_.clear();
    text_.clear();
    if (form_ == HeaderForm::packed)
        add_packed(event);
    else
        add_separate(event);
    return views_;
}

}  // namespace sluice::record
