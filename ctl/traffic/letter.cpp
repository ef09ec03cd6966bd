#include "ctl/traffic/letter.hpp"

#include <algorithm>

#include "ctl/embedded.hpp"
#include "ctl/exit.hpp"
#include "ingress/verify/extract.hpp"
#include "ingress/verify/sign.hpp"

namespace sluice::ctl {
namespace {

template <class T>
T value_at(const Json& body, const char* pointer, T standard) {
    const Json::json_pointer path{pointer};
    if (!body.contains(path)) return standard;
    const Json& value = body[path];
    if constexpr (std::is_same_v<T, std::string>)
        return value.is_string() ? value.get<T>() : standard;
    else
        return value.is_number_integer() ? value.get<T>() : standard;
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

char another_digit(char digit) {
    return digit == '9' ? '8' : '9';
}

void change_after_signing(std::string& body) {
    constexpr std::string_view amount = "\"amount\": ";
    const std::size_t found = body.find(amount);
    if (found == std::string::npos) return body.push_back(' ');
    char& digit = body[found + amount.size()];
    digit = another_digit(digit);
}

void spoil(RequestHeaders& headers) {
    for (auto& [name, value] : headers) {
        if (name == "Content-Type" || value.empty()) continue;
        value.back() = value.back() == '0' ? '1' : '0';
    }
}

}  // namespace

Facts facts_of(const verify::Source& source, const std::string& body) {
    Facts facts;
    verify::JsonView view;
    const verify::Request request{.method = "POST", .target = source.path, .headers = {}, .body = body};
    if (auto extracted = verify::extract(source, request, view)) {
        facts.id = std::move(extracted->headers.event_id);
        facts.type = std::move(extracted->headers.type);
        facts.object = std::move(extracted->headers.object);
    }
    if (const auto json = parse_json(body); json && json->is_object()) {
        facts.customer = customer_of(*json);
        facts.amount = amount_of(*json, facts.type);
    }
    return facts;
}

BodyMaker::BodyMaker(Settings settings) : settings_{std::move(settings)} {
    for (const auto& file : stripe_samples()) {
        templates_.emplace_back(file.name,
                                parse_json(file.content).value());  // ours: a unit test parses each
    }
    if (settings_.own_body) own_body_ = parse_json(*settings_.own_body);
    if (settings_.own_body && !own_body_ && !settings_.edits.empty()) {
        throw Stopped{Exit::usage, "--set cannot change a --body that is no JSON"};
    }
}

std::string BodyMaker::make(const SampleEvent& event, Kind kind) const {
    if (settings_.own_body && (settings_.own_body_as_it_is || !own_body_)) return *settings_.own_body;
    Json body = own_body_ ? of_own_body(event) : of_sample(event, kind);
    for (const auto& edit : settings_.edits) apply(edit, body);
    return to_pretty(body);
}

Json BodyMaker::of_sample(const SampleEvent& event, Kind kind) const {
    const auto found = std::ranges::find(templates_, event.type, &std::pair<std::string, Json>::first);
    Json body = filled(found->second, values_of(event));
    if (kind == Kind::duplicate && body.contains("pending_webhooks")) body["pending_webhooks"] = 0;
    return body;
}

Json BodyMaker::of_own_body(const SampleEvent& event) const {
    Json body = filled(*own_body_, values_of(event));
    if (body.is_object() && body.contains("id")) body["id"] = event.id;
    return body;
}

Result<RequestHeaders> sign_as(Kind kind, const verify::Source& source, std::string& body, WallTime now,
                               std::chrono::seconds stale_by, std::size_t variation) {
    auto headers = verify::sign(source, body, kind == Kind::stale ? now - stale_by : now);
    if (!headers || kind != Kind::forged) return headers;
    switch (variation % 3) {
        case 0:
            change_after_signing(body);
            break;
        case 1:
            spoil(*headers);
            break;
        default:
            headers->clear();
    }
    return headers;
}

}  // namespace sluice::ctl
