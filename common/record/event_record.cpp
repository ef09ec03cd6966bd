#include "common/record/event_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/record/header_names.hpp"
#include "common/time_text.hpp"
#include "common/trace/context.hpp"

namespace sluice::record {
namespace {

constexpr std::string_view undated_text = "undated";
constexpr std::string_view cloud_events_version = "1.0";

/// Each reader takes the value into its field and says whether it was well-formed.
using Read = bool (*)(EventHeaders&, std::string_view);

template <std::string EventHeaders::* field>
bool read_text(EventHeaders& event, std::string_view value) {
    (event.*field).assign(value);
    return true;
}

template <std::string EventHeaders::* field>
bool read_name(EventHeaders& event, std::string_view value) {
    (event.*field).assign(value);
    return !value.empty();
}

template <crypto::Digest EventHeaders::* field>
bool read_digest(EventHeaders& event, std::string_view value) {
    const auto digest = crypto::digest_from_hex(value);
    if (digest) event.*field = *digest;
    return digest.has_value();
}

bool read_livemode(EventHeaders& event, std::string_view value) {
    event.livemode = value == "true";
    return value == "true" || value == "false";
}

bool read_event_day(EventHeaders& event, std::string_view value) {
    if (value == undated_text) return true;
    const auto day = day_from_text(value);
    if (day) event.event_day = *day;
    return day.has_value();
}

bool read_received_at(EventHeaders& event, std::string_view value) {
    const auto instant = from_rfc3339(value);
    if (instant) event.received_at = *instant;
    return instant.has_value();
}

bool read_traceparent(EventHeaders& event, std::string_view value) {
    event.traceparent.assign(value);
    return trace::is_traceparent(value);
}

bool read_specversion(EventHeaders&, std::string_view value) {
    return value == cloud_events_version;
}

// Compared with provider and principal once both are known.
bool read_ce_source(EventHeaders&, std::string_view) {
    return true;
}

bool read_time(EventHeaders& event, std::string_view value) {
    event.occurred_at = from_rfc3339(value);
    return true;
}

/// A writer that could add a second one could remove the first one's warning.
bool read_trust(EventHeaders& event, std::string_view value) {
    event.trust.assign(value);
    return value == "none" || value == "crc" || value == "type" || value == "api";
}

bool read_item(EventHeaders& event, std::string_view value) {
    std::uint32_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    event.item = number;
    return error == std::errc{} && stop == end;
}

bool read_original(EventHeaders& event, std::string_view value) {
    event.original = crypto::digest_from_hex(value);
    return event.original.has_value();
}

struct Field {
    std::string_view name;
    Read read;
    bool required;
};

constexpr std::array fields{
    Field{header::ce_specversion, read_specversion, true},
    Field{header::ce_id, read_name<&EventHeaders::event_id>, true},
    Field{header::ce_source, read_ce_source, true},
    Field{header::ce_type, read_name<&EventHeaders::type>, true},
    Field{header::ce_subject, read_text<&EventHeaders::object>, false},
    Field{header::ce_time, read_time, false},
    Field{header::content_type, read_text<&EventHeaders::content_type>, true},
    Field{header::traceparent, read_traceparent, true},
    Field{header::tracestate, read_text<&EventHeaders::tracestate>, false},
    Field{header::source, read_name<&EventHeaders::source>, true},
    Field{header::provider, read_name<&EventHeaders::provider>, true},
    Field{header::principal, read_name<&EventHeaders::principal>, true},
    Field{header::livemode, read_livemode, true},
    Field{header::dedup_key, read_digest<&EventHeaders::dedup_key>, true},
    Field{header::digest, read_digest<&EventHeaders::content_digest>, true},
    Field{header::event_day, read_event_day, true},
    Field{header::received_at, read_received_at, true},
    Field{header::key_id, read_text<&EventHeaders::key_id>, true},
    Field{header::trust, read_trust, false},
    Field{header::item, read_item, false},
    Field{header::original, read_original, false},
};

using Seen = std::array<bool, fields.size()>;

/// Number of the field called `name`, fields.size() for none. The ingress writes them in this order, so the
/// next one is usually at `hint`.
std::size_t field_of(std::string_view name, std::size_t hint) {
    for (std::size_t i = hint; i < fields.size(); ++i) {
        if (fields[i].name == name) return i;
    }
    const auto first = std::ranges::find(fields, name, &Field::name);
    return static_cast<std::size_t>(first - fields.begin());
}

/// False when the header makes the record undecodable. `hint`: the number after the last field's.
bool take(EventHeaders& event, const HeaderView& one, Seen& seen, std::size_t& hint) {
    const std::size_t number = field_of(one.name, hint);
    if (number == fields.size()) return true;
    hint = number + 1;
    const Field& field = fields[number];
    bool& before = seen[number];
    if (before) return !field.required;  // for an optional field the first one counts
    before = true;
    return field.read(event, one.value);
}

void take_http(EventHeaders& event, const HeaderView& one) {
    event.http.emplace_back(one.name.substr(header::http_prefix.size()), one.value);
}

bool is_ce_source(std::string_view text, const EventHeaders& event) {
    const std::size_t slash = event.provider.size();
    return text.size() == slash + 1 + event.principal.size() && text.starts_with(event.provider) &&
           text[slash] == '/' && text.ends_with(event.principal);
}

bool has_all_required(const Seen& seen) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].required && !seen[i]) return false;
    }
    return true;
}

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
    add(header::ce_specversion, cloud_events_version);
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

std::span<const HeaderView> EncodedHeaders::encode(const EventHeaders& event) {
    views_.clear();
    text_.clear();
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
        add(header::event_day, undated_text);
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
    return views_;
}

Result<EventHeaders> decode(std::span<const HeaderView> headers, HttpHeaders http) {
    EventHeaders event;
    Seen seen{};
    std::size_t hint = 0;
    std::string_view ce_source;
    for (const HeaderView& one : headers) {
        if (one.name.starts_with(header::http_prefix)) {
            if (http == HttpHeaders::read) take_http(event, one);
            continue;
        }
        if (!take(event, one, seen, hint)) return Failure{make_error_code(errc::undecodable)};
        if (one.name == header::ce_source) ce_source = one.value;
    }
    if (!has_all_required(seen) || !is_ce_source(ce_source, event)) {
        return Failure{make_error_code(errc::undecodable)};
    }
    return event;
}

}  // namespace sluice::record
