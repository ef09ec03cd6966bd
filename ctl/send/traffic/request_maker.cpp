#include "ctl/send/traffic/request_maker.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"
#include "common/webhook/extract/extract.hpp"
#include "common/webhook/extract/items.hpp"
#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/send/signing/form_text.hpp"
#include "ctl/send/signing/sealing.hpp"

namespace sluice::ctl {
namespace {

template <class T>
T value_at(const Json& body, const char* pointer, T fallback) {
    const Json::json_pointer path{pointer};
    if (!body.contains(path)) return fallback;
    const Json& value = body[path];
    if constexpr (std::is_same_v<T, std::string>)
        return value.is_string() ? value.get<T>() : fallback;
    else
        return value.is_number_integer() ? value.get<T>() : fallback;
}

std::int64_t amount_of(const Json& body, const std::string& type) {
    if (type == "charge.refunded") {
        return value_at<std::int64_t>(body, "/data/object/amount_refunded", 0) -
               value_at<std::int64_t>(body, "/data/previous_attributes/amount_refunded", 0);
    }
    if (type == "invoice.payment_failed") return value_at<std::int64_t>(body, "/data/object/amount_due", 0);
    return value_at<std::int64_t>(body, "/data/object/amount", 0);
}

std::string customer_of(const Json& body) {
    const bool is_customer = value_at<std::string>(body, "/data/object/object", "") == "customer";
    return value_at<std::string>(body, is_customer ? "/data/object/id" : "/data/object/customer", "");
}

std::vector<record::EventHeaders> events_in(const webhook::Source& source, const OutgoingRequest& request) {
    const ArrivedRequest arrived{request};
    std::vector<record::EventHeaders> events;
    webhook::JsonView view;
    webhook::JsonView element;
    if (!source.has_items) {
        if (auto one = webhook::extract(source, arrived.view(), view))
            events.push_back(std::move(one->headers));
        return events;
    }
    auto items = webhook::extract_items(source, arrived.view(), view, element);
    if (!items) return events;
    for (auto& item : *items) {
        if (item.event) events.push_back(std::move(item.event->headers));
    }
    return events;
}

/// A field of a form: text, or lines that are sent as base64 with line feeds in it.
std::string field_text(const Json& value) {
    if (!value.is_object()) return value.is_string() ? value.get<std::string>() : to_line(value);
    constexpr std::size_t characters_in_a_line = 60;
    std::string lines;
    for (const Json& line : value.at("base64")) lines += line.get<std::string>() + "\n";
    std::string text = crypto::to_base64(lines);
    for (std::size_t at = characters_in_a_line; at < text.size(); at += characters_in_a_line + 1)
        text.insert(at, "\n");
    return text + "\n";
}

FormFields fields_of(const Json& form) {
    FormFields fields;
    for (const auto& [name, value] : form.items()) fields.emplace_back(name, field_text(value));
    return fields;
}

std::string target_of(const std::string& path, const Json& query) {
    if (query.empty()) return path;
    return path + (path.contains('?') ? "&" : "?") + form_text(fields_of(query));
}

}  // namespace

Facts facts_of(const webhook::Source& source, const OutgoingRequest& request) {
    Facts facts;
    const auto events = events_in(source, request);
    for (std::size_t i = 1; i < events.size(); ++i) facts.other_ids.push_back(events[i].event_id);
    if (!events.empty()) {
        facts.id = events.front().event_id;
        facts.type = events.front().type;
        facts.object = events.front().object;
    }
    if (const auto json = parse_json(request.body);
        json && json->is_object() && source.provider == "stripe") {
        facts.customer = customer_of(*json);
        facts.amount = amount_of(*json, facts.type);
    }
    return facts;
}

RequestHeaders::value_type header_from_text(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Stopped{Exit::usage, "--header must be NAME=VALUE, not \"" + text + "\""};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

RequestMaker::RequestMaker(Settings settings)
    : settings_{std::move(settings)}, samples_{&samples_of(settings_.source->recipe)} {
    if (settings_.own_body) own_body_ = parse_json(*settings_.own_body);
    if (settings_.own_body && !own_body_ && !settings_.edits.empty()) {
        throw Stopped{Exit::usage, "--set cannot change a --body that is not JSON"};
    }
}

Values RequestMaker::values_for(const SampleEvent& event) const {
    Values values = values_of(event);
    const webhook::Program& program = *settings_.source->program;
    for (const webhook::FixedSlot& bound : program.bound)
        values.emplace_back("bound " + std::string{program.name_of_slot(bound.slot)}, bound.text);
    if (program.certificate && !program.certificate->hosts.empty())
        values.emplace_back("cert_host", program.certificate->hosts.front());
    return values;
}

OutgoingRequest RequestMaker::make(const SampleEvent& event, Kind kind) const {
    OutgoingRequest request{.target = settings_.path, .headers = {}, .body = {}};
    const auto sample = std::ranges::find(*samples_, event.type, &EventSample::type);
    if (sample != samples_->end()) request = of_sample(*sample, event, kind);
    if (settings_.own_body) request.body = own_body_for(event);
    for (const auto& [name, value] : settings_.headers) set_header(request, name, value);
    if (find_header(request, "Content-Type") == nullptr)
        set_header(request, "Content-Type", "application/json; charset=utf-8");
    return request;
}

OutgoingRequest RequestMaker::of_sample(const EventSample& sample, const SampleEvent& event,
                                        Kind kind) const {
    const Values values = values_for(event);
    OutgoingRequest request{
        .target = target_of(settings_.path, filled(sample.query, values)), .headers = {}, .body = {}};
    const Json headers = filled(sample.headers, values);
    for (const auto& [name, value] : headers.items()) request.headers.emplace_back(name, field_text(value));
    if (settings_.own_body) return request;
    Json body = filled(sample.body, values);
    if (kind == Kind::duplicate && body.contains("pending_webhooks")) body["pending_webhooks"] = 0;
    for (const auto& edit : settings_.edits) apply(edit, body, sample.is_form);
    seal(*settings_.source->program, body);
    if (sample.is_form)
        set_header(request, "Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    request.body = sample.is_form ? form_text(fields_of(body)) : to_pretty(body);
    return request;
}

std::vector<std::string> RequestMaker::added(const std::vector<std::string>& types) const {
    const auto is_of_one = [&](const Edit& edit) {
        if (own_body_) return own_body_->contains(edit.pointer);
        return std::ranges::any_of(*samples_, [&](const EventSample& sample) {
            return std::ranges::contains(types, sample.type) && sample.body.contains(edit.pointer);
        });
    };
    std::vector<std::string> places;
    for (const Edit& edit : settings_.edits)
        if (!is_of_one(edit)) places.push_back(edit.pointer.to_string());
    return places;
}

std::string RequestMaker::own_body_for(const SampleEvent& event) const {
    if (settings_.own_body_as_it_is || !own_body_) return *settings_.own_body;
    Json body = filled(*own_body_, values_for(event));
    if (body.is_object() && body.contains("id")) body["id"] = event.id;
    for (const auto& edit : settings_.edits) apply(edit, body, false);
    return to_pretty(body);
}

std::expected<void, std::string> sign_as(Kind kind, OutgoingRequest& request, const Signer& signer,
                                         WallTime now, std::chrono::seconds stale_by, Forgery forgery) {
    if (kind == Kind::forged) return forge(request, forgery, signer, now);
    return signer.sign(request, kind == Kind::stale ? now - stale_by : now);
}

}  // namespace sluice::ctl
