#include "common/record/event_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/record/header_names.hpp"
#include "common/record/packed_header.hpp"
#include "common/record/trust_words.hpp"
#include "common/time_text.hpp"
#include "common/trace/context.hpp"

namespace sluice::record {
namespace {

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
    if (value == header::no_event_day) return true;
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
    return value == header::cloud_events_version;
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
    return !value.empty() && std::ranges::contains(trust_words, value);
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
    Field{header::keys, read_name<&EventHeaders::keys>, false},
    Field{header::client, read_text<&EventHeaders::client>, false},
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

Result<EventHeaders> decode_separate(std::span<const HeaderView> headers, HttpHeaders http) {
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

/// Only the trace is beside the packed header.
Result<EventHeaders> decode_packed(std::span<const HeaderView> headers, std::string_view packed,
                                   HttpHeaders http) {
    EventHeaders event;
    bool is_good = read_packed(event, packed, http);
    Seen seen{};
    std::size_t hint = 0;
    for (const HeaderView& one : headers) {
        if (one.name == header::traceparent || one.name == header::tracestate)
            is_good = take(event, one, seen, hint) && is_good;
    }
    if (!is_good || event.traceparent.empty()) return Failure{make_error_code(errc::undecodable)};
    return event;
}

}  // namespace

Result<EventHeaders> decode(std::span<const HeaderView> headers, HttpHeaders http) {
    const auto packed = std::ranges::find(headers, header::packed, &HeaderView::name);
    if (packed == headers.end()) return decode_separate(headers, http);
    if (std::ranges::count(headers, header::packed, &HeaderView::name) != 1)
        return Failure{make_error_code(errc::undecodable)};
    return decode_packed(headers, packed->value, http);
}

bool describes_event(std::string_view name) {
    return name == header::packed || name.starts_with(header::http_prefix) ||
           std::ranges::contains(fields, name, &Field::name);
}

FoundHttp find_http(std::span<const HeaderView> headers, std::string_view name) {
    const auto packed = std::ranges::find(headers, header::packed, &HeaderView::name);
    if (packed != headers.end())
        return find_packed_http(packed->value, name.substr(header::http_prefix.size()));
    FoundHttp found;
    for (const HeaderView& one : headers) {
        if (one.name == name && found.count++ == 0) found.value = one.value;
    }
    return found;
}

}  // namespace sluice::record
