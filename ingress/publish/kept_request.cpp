#include "ingress/publish/kept_request.hpp"

#include <algorithm>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/record/header_names.hpp"
#include "common/time_text.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::publish {

namespace header = record::header;

namespace {

bool stand_in_query(const webhook::Joined& facts) {
    return std::ranges::contains(facts, webhook::Fact::From::query, &webhook::Fact::from);
}

/// Whether the target's parameters say anything of a source's requests, or of their events.
bool reads_query(const webhook::Program& program) {
    const webhook::Extraction& facts = program.extraction;
    return std::ranges::contains(program.inputs, webhook::Input::From::query, &webhook::Input::from) ||
           std::ranges::any_of(facts.id, stand_in_query) || std::ranges::any_of(facts.type, stand_in_query) ||
           std::ranges::any_of(facts.order_by, stand_in_query, &webhook::ObjectField::value);
}

std::string in_lower_case(std::string name) {
    std::ranges::transform(name, name.begin(), webhook::lower_case);
    return name;
}

}  // namespace

KeptRequest quarantine_record(const webhook::Source& source, const webhook::Request& request,
                              std::string_view key_id, WallTime received_at, std::string_view traceparent,
                              const webhook::Unread& why) {
    KeptRequest record = original_record(source, request, key_id, received_at, traceparent);
    record.headers.emplace_back(header::quarantine_reason, quarantine_reason(why.code));
    record.headers.emplace_back(header::quarantine_detail, why.why);
    // A corrected recipe may read more than the signature covers.
    const auto mark = request.target.find('?');
    if (mark != std::string_view::npos && reads_query(*source.program))
        record.headers.emplace_back(header::query, request.target.substr(mark + 1));
    return record;
}

void name_item(KeptRequest& record, const webhook::Item& item) {
    record.headers.emplace_back(header::item, std::to_string(item.number));
    record.headers.emplace_back(header::original, crypto::to_hex(item.original));
    if (item.known_livemode)
        record.headers.emplace_back(header::livemode, *item.known_livemode ? "true" : "false");
}

KeptRequest original_record(const webhook::Source& source, const webhook::Request& request,
                            std::string_view key_id, WallTime received_at, std::string_view traceparent) {
    KeptRequest record;
    record.key = crypto::to_hex(crypto::sha256(request.body));
    const auto add = [&record](std::string_view name, std::string_view value) {
        record.headers.emplace_back(name, value);
    };
    add(header::source, source.name);
    add(header::provider, source.provider);
    add(header::principal, source.principal);
    add(header::received_at, to_rfc3339(received_at));
    add(header::key_id, key_id);
    add(header::traceparent, traceparent);
    if (const auto type = webhook::find_header(request.headers, header::content_type))
        add(header::content_type, *type);
    for (const std::string& name : source.program->headers)
        if (const auto value = webhook::find_header(request.headers, name))
            add(std::string{header::http_prefix} + in_lower_case(name), *value);
    return record;
}

std::vector<record::HeaderView> KeptRequest::header_views() const {
    std::vector<record::HeaderView> views;
    views.reserve(headers.size());
    for (const auto& [name, value] : headers) views.push_back({name, value});
    return views;
}

std::string_view quarantine_reason(std::error_code why) noexcept {
    if (why == errc::duplicate_key) return "duplicate_key";
    if (why == errc::missing_pointer) return "missing_pointer";
    if (why == errc::out_of_range) return "out_of_range";
    return "unreadable_body";
}

}  // namespace sluice::publish
