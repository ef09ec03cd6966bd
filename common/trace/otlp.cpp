#include "common/trace/otlp.hpp"

#include <array>
#include <charconv>

#include "common/telemetry/log.hpp"
#include "common/trace/conventions.hpp"

namespace sluice::trace {
namespace {

constexpr std::size_t most_links = 64;
constexpr int status_error = 2;
constexpr int flag_sampled = 1;

void append_integer(std::string& json, std::int64_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    json.append(digits.data(), end);
}

void append_text(std::string& json, std::string_view text) {
    json += '"';
    append_json_escaped(json, text);
    json += '"';
}

void append_attribute(std::string& json, const Attribute& attribute) {
    json += "{\"key\":\"";
    json += attribute.key;
    json += "\",\"value\":{";
    if (const auto* text = std::get_if<std::string_view>(&attribute.value)) {
        json += "\"stringValue\":";
        append_text(json, *text);
    } else {
        json += "\"intValue\":\"";
        append_integer(json, std::get<std::int64_t>(attribute.value));
        json += '"';
    }
    json += "}}";
}

bool is_empty(const Attribute& attribute) {
    const auto* text = std::get_if<std::string_view>(&attribute.value);
    return std::holds_alternative<std::monostate>(attribute.value) || (text != nullptr && text->empty());
}

void append_attributes(std::string& json, const Span& span) {
    json += ",\"attributes\":[";
    bool first = true;
    const auto append = [&](const Attribute& attribute) {
        if (is_empty(attribute)) return;
        if (!first) json += ',';
        first = false;
        append_attribute(json, attribute);
    };
    for (const Attribute& attribute : span.attributes) append(attribute);
    append({key::error_type, span.error});
    json += ']';
}

void append_ids(std::string& json, const SpanName& name) {
    json += "\"traceId\":\"";
    json += name.trace_id;
    json += "\",\"spanId\":\"";
    json += name.span_id;
    json += '"';
}

void append_links(std::string& json, std::span<const SpanName> links) {
    if (links.empty()) return;
    json += ",\"links\":[";
    for (std::size_t i = 0; i < links.size() && i < most_links; ++i) {
        json += i == 0 ? "{" : ",{";
        append_ids(json, links[i]);
        json += '}';
    }
    json += ']';
}

void append_time(std::string& json, std::string_view key, WallTime time) {
    json += key;
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
    append_integer(json, since.count());
    json += '"';
}

}  // namespace

void append_otlp_span(std::string& json, const Span& span) {
    json += '{';
    append_ids(json, span.self);
    if (!span.parent_id.empty()) {
        json += ",\"parentSpanId\":\"";
        json += span.parent_id;
        json += '"';
    }
    json += ",\"flags\":";
    append_integer(json, span.sampled ? flag_sampled : 0);
    json += ",\"name\":";
    append_text(json, span.name);
    json += ",\"kind\":";
    append_integer(json, static_cast<int>(span.kind));
    append_time(json, ",\"startTimeUnixNano\":\"", span.began);
    append_time(json, ",\"endTimeUnixNano\":\"", span.ended);
    append_attributes(json, span);
    append_links(json, span.links);
    if (!span.error.empty()) {
        json += ",\"status\":{\"code\":";
        append_integer(json, status_error);
        json += '}';
    }
    json += '}';
}

std::string otlp_request(const Resource& resource, std::string_view spans) {
    std::string json = "{\"resourceSpans\":[{\"resource\":{\"attributes\":[";
    append_attribute(json, {key::service_name, resource.service});
    json += ',';
    append_attribute(json, {key::service_version, resource.version});
    json += ',';
    append_attribute(json, {key::service_instance, resource.instance});
    json += "]},\"scopeSpans\":[{\"scope\":{\"name\":\"sluice\",\"version\":";
    append_text(json, resource.version);
    json += "},\"spans\":[";
    json += spans;
    json += "],\"schemaUrl\":\"";
    json += schema_url;
    json += "\"}],\"schemaUrl\":\"";
    json += schema_url;
    json += "\"}]}";
    return json;
}

}  // namespace sluice::trace
