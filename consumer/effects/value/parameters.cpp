#include "consumer/effects/value/parameters.hpp"

#include <array>
#include <utility>

#include "common/error.hpp"
#include "common/time_text.hpp"

namespace sluice::effects {
namespace {

using store::Datum;
using webhook::JsonType;

Datum text_or_null(const std::string& text) {
    if (text.empty()) return nullptr;
    return std::string_view{text};
}

using BuiltIn = std::pair<std::string_view, Datum (*)(const record::EventHeaders&)>;

constexpr std::array<BuiltIn, 9> built_ins{{
    {"event_id", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.event_id}; }},
    {"event_type", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.type}; }},
    {"object", [](const record::EventHeaders& h) -> Datum { return text_or_null(h.object); }},
    {"source", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.source}; }},
    {"provider", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.provider}; }},
    {"principal", [](const record::EventHeaders& h) -> Datum { return std::string_view{h.principal}; }},
    {"livemode", [](const record::EventHeaders& h) -> Datum { return std::int64_t{h.livemode ? 1 : 0}; }},
    {"received_at", [](const record::EventHeaders& h) -> Datum { return h.received_at; }},
    {"occurred_at",
     [](const record::EventHeaders& h) -> Datum {
         return h.occurred_at ? Datum{*h.occurred_at} : Datum{nullptr};
     }},
}};

const BuiltIn* built_in(std::string_view name) noexcept {
    for (const auto& one : built_ins) {
        if (one.first == name) return &one;
    }
    return nullptr;
}

/// nullopt where the value is not there or null, and may be.
Result<std::optional<JsonType>> present(const webhook::Pointer& pointer, bool optional,
                                        const webhook::JsonView& body) {
    auto type = body.type(pointer);
    if (type && *type == JsonType::null) type = Failure{make_error_code(errc::missing_pointer)};
    if (type) return *type;
    if (optional && type.error() == errc::missing_pointer) return std::nullopt;
    return Failure{type.error()};
}

constexpr std::int64_t first_second = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t last_second = 253'402'300'799;   // 9999-12-31T23:59:59Z

Result<Datum> time_value(const webhook::Pointer& pointer, JsonType type, const webhook::JsonView& body) {
    if (type == JsonType::string) {
        const auto text = body.string(pointer);
        if (!text) return Failure{text.error()};
        const auto time = from_rfc3339(*text);
        if (!time) return Failure{make_error_code(errc::wrong_type)};
        return *time;
    }
    const auto seconds = body.integer(pointer);
    if (!seconds) return Failure{seconds.error()};
    const bool fits = *seconds >= first_second && *seconds <= last_second;
    if (!fits) return Failure{make_error_code(errc::out_of_range)};
    return WallTime{std::chrono::seconds{*seconds}};
}

Result<Datum> difference(std::int64_t total, const Parameter::Minus& minus, const webhook::JsonView& body) {
    const auto type = present(minus.pointer, minus.optional, body);
    if (!type) return Failure{type.error()};
    if (!*type) return total;
    const auto before = body.integer(minus.pointer);
    if (!before) return Failure{before.error()};
    std::int64_t out = 0;
    if (__builtin_sub_overflow(total, *before, &out)) return Failure{make_error_code(errc::out_of_range)};
    return out;
}

Result<Datum> int64_value(const Parameter& parameter, const webhook::JsonView& body) {
    const auto total = body.integer(parameter.pointer);
    if (!total) return Failure{total.error()};
    if (!parameter.minus) return *total;
    return difference(*total, *parameter.minus, body);
}

Result<Datum> value_of_fact(webhook::PaymentFact fact, const webhook::Payment* payment) {
    if (payment == nullptr) return Failure{make_error_code(errc::missing_pointer)};
    const webhook::PaymentValue& said = (*payment)[fact];
    if (!said.trouble.empty()) return Failure{make_error_code(errc::wrong_type)};
    if (const auto* text = std::get_if<std::string>(&said.value)) return std::string_view{*text};
    if (const auto* number = std::get_if<std::int64_t>(&said.value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&said.value)) return *time;
    if (may_be_null(fact)) return nullptr;
    return Failure{make_error_code(errc::missing_pointer)};
}

}  // namespace

bool is_built_in(std::string_view name) noexcept {
    return built_in(name) != nullptr;
}

Datum built_in_value(std::string_view name, const record::EventHeaders& headers) {
    return built_in(name)->second(headers);
}

Result<Datum> value_of(const Parameter& parameter, const EventBody& event) {
    if (parameter.fact) return value_of_fact(*parameter.fact, event.payment);
    const webhook::JsonView& body = event.json;
    const auto type = present(parameter.pointer, parameter.optional, body);
    if (!type) return Failure{type.error()};
    if (!*type) return nullptr;
    switch (parameter.type) {
        case ParameterType::text:
            return body.string(parameter.pointer);
        case ParameterType::int64:
            return int64_value(parameter, body);
        case ParameterType::boolean:
            return body.boolean(parameter.pointer).transform([](bool on) {
                return Datum{std::int64_t{on ? 1 : 0}};
            });
        case ParameterType::time:
            return time_value(parameter.pointer, **type, body);
    }
    return Failure{make_error_code(errc::wrong_type)};
}

std::string why_no_value(const Parameter& parameter, std::error_code error, const EventBody& body) {
    if (!parameter.fact) {
        const auto minus = parameter.minus ? " minus " + parameter.minus->pointer.text() : std::string{};
        return ":" + parameter.name + " (" + parameter.pointer.text() + minus + "): " + error.message();
    }
    if (body.payment == nullptr) return ":" + parameter.name + ": the event says nothing of a payment";
    const std::string& trouble = (*body.payment)[*parameter.fact].trouble;
    return ":" + parameter.name + ": " + (trouble.empty() ? "the event does not say it" : trouble);
}

bool may_be_null(webhook::PaymentFact fact) noexcept {
    return fact == webhook::PaymentFact::paid_at || fact == webhook::PaymentFact::payer;
}

}  // namespace sluice::effects
