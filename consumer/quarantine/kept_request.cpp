#include "consumer/quarantine/kept_request.hpp"

#include <algorithm>
#include <charconv>

#include "common/crypto/encoding.hpp"
#include "common/record/header_names.hpp"
#include "common/time_text.hpp"

namespace sluice::consumer {
namespace {

namespace header = record::header;

using Headers = std::span<const record::HeaderView>;

std::optional<std::string_view> value_of(Headers headers, std::string_view name) {
    const auto at = std::ranges::find(headers, name, &record::HeaderView::name);
    if (at == headers.end()) return std::nullopt;
    return at->value;
}

std::optional<std::uint32_t> number_in(std::optional<std::string_view> text) {
    std::uint32_t number = 0;
    if (!text) return std::nullopt;
    const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc{} || stop != text->data() + text->size()) return std::nullopt;
    return number;
}

std::vector<webhook::HeaderField> fields_in(Headers headers) {
    std::vector<webhook::HeaderField> fields;
    for (const auto& one : headers) {
        if (one.name == header::content_type) fields.push_back({one.name, one.value});
        if (one.name.starts_with(header::http_prefix))
            fields.push_back({one.name.substr(header::http_prefix.size()), one.value});
    }
    return fields;
}

void read_place_in_delivery(KeptRequest& request, Headers headers) {
    request.item = number_in(value_of(headers, header::item));
    if (const auto hex = value_of(headers, header::original))
        request.original = crypto::digest_from_hex(*hex);
    if (const auto livemode = value_of(headers, header::livemode)) request.livemode = *livemode == "true";
}

}  // namespace

std::optional<KeptRequest> kept_request_from(Headers headers) {
    const auto source = value_of(headers, header::source);
    const auto received_at = from_rfc3339(value_of(headers, header::received_at).value_or(""));
    if (!source || !received_at) return std::nullopt;
    KeptRequest request;
    request.source = *source;
    request.provider = value_of(headers, header::provider).value_or("");
    request.principal = value_of(headers, header::principal).value_or("");
    request.reason = value_of(headers, header::quarantine_reason).value_or("");
    request.detail = value_of(headers, header::quarantine_detail).value_or("");
    request.arrival = {.received_at = *received_at,
                       .key_id = value_of(headers, header::key_id).value_or(""),
                       .traceparent = value_of(headers, header::traceparent).value_or(""),
                       .tracestate = {}};
    const auto query = value_of(headers, header::query);
    request.target = query ? "/?" + std::string{*query} : "/";
    request.fields = fields_in(headers);
    read_place_in_delivery(request, headers);
    return request;
}

const webhook::Source* source_of(const KeptRequest& request, const webhook::SourceSet& sources) {
    const auto named = std::ranges::find(sources, request.source,
                                         [](const auto& one) { return std::string_view{one->name}; });
    if (named != sources.end()) return named->get();
    const auto peer = std::ranges::find_if(sources, [&](const auto& one) {
        return one->provider == request.provider && one->principal == request.principal;
    });
    return peer == sources.end() ? nullptr : peer->get();
}

}  // namespace sluice::consumer
