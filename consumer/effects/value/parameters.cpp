#include "consumer/effects/value/parameters.hpp"

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "common/joined.hpp"
#include "common/record/header_names.hpp"
#include "common/telemetry/log.hpp"
#include "common/webhook/payment/currency.hpp"
#include "consumer/effects/value/event_fields.hpp"

namespace sluice::effects {
namespace {

using store::Datum;
using webhook::JsonType;
using From = ValueSource::From;

constexpr std::size_t longest_shown = 40;

/// Why one source has no value: what is wrong with which text.
struct Trouble {
    std::error_code error;
    std::string why;
    bool quotes_event = false;
};
/// nullopt: it is not there.
using Looked = std::expected<std::optional<Datum>, Trouble>;

std::unexpected<Trouble> trouble(std::error_code error) {
    return std::unexpected(Trouble{error, error.message()});
}

std::unexpected<Trouble> trouble(const Misfit& misfit, std::string_view text) {
    return std::unexpected(Trouble{
        misfit.error, '"' + json_escaped(text, longest_shown) + "\" " + std::string{misfit.why}, true});
}

/// A value that is there and not null; nullopt: it is not.
Result<std::optional<Found>> found_at(const webhook::Pointer& pointer, const ValueSource& source,
                                      const webhook::JsonView& body) {
    const auto type = body.type(pointer);
    if (!type && type.error() == errc::missing_pointer) return std::nullopt;
    if (!type) return Failure{type.error()};
    if (*type == JsonType::null) return std::nullopt;
    Found found{.type = *type};
    Result<std::string_view> text{std::string_view{}};
    if (source.conversion.as == As::json && source.map.empty()) {
        text = body.minified_view(pointer);
    } else if (*type == JsonType::string) {
        text = body.string(pointer);
    } else if (*type != JsonType::integer || !source.map.empty() || needs_text(source.conversion.as)) {
        text = body.written(pointer);
    } else {
        const auto number = body.integer(pointer);
        if (!number) return Failure{number.error()};
        found.number = *number;
    }
    if (!text) return Failure{text.error()};
    found.text = *text;
    return found;
}

std::expected<int, Trouble> scale_of(const Conversion& conversion, const webhook::JsonView& body) {
    if (!conversion.currency) return conversion.scale;
    const webhook::Pointer& at = *conversion.currency;
    const std::string its = "the currency at " + at.text();
    const auto type = body.type(at);
    const auto code = type && *type == JsonType::string ? body.string(at) : body.written(at);
    if (!code) return std::unexpected(Trouble{code.error(), its + ": " + code.error().message()});
    if (const auto* currency = webhook::currency_of(*code)) return currency->exponent;
    return std::unexpected(Trouble{
        make_error_code(errc::wrong_type),
        its + " is \"" + json_escaped(*code, longest_shown) + "\", which ISO 4217 gives no minor unit",
        true});
}

/// Its text may not have been needed before.
std::string_view shown_text(const webhook::Pointer& pointer, const Found& found,
                            const webhook::JsonView& body) {
    const bool has_text = found.type == JsonType::string || !found.text.empty();
    return has_text ? found.text : body.written(pointer).value_or(std::string_view{});
}

Looked fallback_of(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made);

Looked value_from(const ValueSource& source, Found found, const EventView& event,
                  std::pmr::memory_resource& made) {
    if (!source.map.empty()) {
        const bool is_one = found.type != JsonType::array && found.type != JsonType::object;
        const auto line = is_one ? source.map.find(found.text) : source.map.end();
        if (line == source.map.end() && source.fallback) return fallback_of(source, event, made);
        if (line == source.map.end())
            return trouble({make_error_code(errc::wrong_type), "is in no line of map"}, found.text);
        found = constant(source.conversion.as, line->second);
    }
    const auto scale = scale_of(source.conversion, event.body.json);
    if (!scale) return std::unexpected(scale.error());
    const auto value = converted(source.conversion, found, *scale, made);
    if (!value) return trouble(value.error(), shown_text(source.pointer, found, event.body.json));
    if (std::holds_alternative<std::nullptr_t>(*value)) return std::nullopt;
    return *value;
}

Looked fallback_of(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made) {
    const auto scale = scale_of(source.conversion, event.body.json);
    if (!scale) return std::unexpected(scale.error());
    const auto value =
        converted(source.conversion, constant(source.conversion.as, *source.fallback), *scale, made);
    if (!value) return trouble(value.error(), *source.fallback);
    return *value;
}

Looked difference(std::int64_t total, const ValueSource& source, const webhook::JsonView& body,
                  std::pmr::memory_resource& made) {
    const auto before = found_at(source.minus->pointer, source, body);
    if (!before) return trouble(before.error());
    if (!*before && source.minus->optional) return total;
    if (!*before) return trouble(make_error_code(errc::missing_pointer));
    const auto number = converted(source.conversion, **before, 0, made);
    if (!number) return trouble(number.error(), shown_text(source.minus->pointer, **before, body));
    std::int64_t out = 0;
    if (__builtin_sub_overflow(total, std::get<std::int64_t>(*number), &out))
        return trouble(make_error_code(errc::out_of_range));
    return out;
}

Looked in_body(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made) {
    const auto found = found_at(source.pointer, source, event.body.json);
    if (!found) return trouble(found.error());
    if (!*found) return std::nullopt;
    auto value = value_from(source, **found, event, made);
    if (!value || !*value || !source.minus) return value;
    return difference(std::get<std::int64_t>(**value), source, event.body.json, made);
}

Looked in_header(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made) {
    const auto found = record::find_http(event.body.headers, source.name);
    if (found.count == 0) return std::nullopt;
    if (found.count > 1)
        return std::unexpected(Trouble{make_error_code(errc::duplicate_key), "the header stands twice"});
    return value_from(source, {.text = found.value}, event, made);
}

/// What is a text can be mapped and read as something else; all else is what it is.
Looked as_is(const ValueSource& source, const Datum& value, const EventView& event,
             std::pmr::memory_resource& made) {
    if (std::holds_alternative<std::nullptr_t>(value)) return std::nullopt;
    const auto* text = std::get_if<std::string_view>(&value);
    if (text == nullptr || (source.map.empty() && source.conversion.as == As::text)) return value;
    return value_from(source, {.text = *text}, event, made);
}

Looked of_payment(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made) {
    if (event.body.payment == nullptr) return std::nullopt;
    const webhook::PaymentValue& said = (*event.body.payment)[source.fact];
    if (!said.trouble.empty())
        return std::unexpected(Trouble{make_error_code(errc::wrong_type), said.trouble, true});
    if (const auto* text = std::get_if<std::string>(&said.value))
        return as_is(source, std::string_view{*text}, event, made);
    if (const auto* number = std::get_if<std::int64_t>(&said.value)) return *number;
    if (const auto* time = std::get_if<WallTime>(&said.value)) return *time;
    return std::nullopt;
}

Looked value_at(const ValueSource& source, const EventView& event, std::pmr::memory_resource& made) {
    switch (source.from) {
        case From::body:
            return in_body(source, event, made);
        case From::header:
            return in_header(source, event, made);
        case From::event:
            return as_is(source, built_in_value(source.name, event.headers), event, made);
        case From::payment:
            return of_payment(source, event, made);
        case From::constant:
            break;
    }
    return value_from(source, constant(source.conversion.as, source.name), event, made);
}

bool is_of_payment(const Parameter& parameter) {
    return parameter.from.size() == 1 && parameter.from.front().from == From::payment;
}

NoValue not_there(const Parameter& parameter, const EventBody& body) {
    const auto missing = make_error_code(errc::missing_pointer);
    const std::string name = ":" + parameter.name;
    if (!is_of_payment(parameter))
        return {missing, name + " (" + joined(parameter.from, " or ", name_of) + "): " + missing.message()};
    return {missing, name + (body.payment == nullptr ? ": the event says nothing of a payment"
                                                     : ": the event does not say it")};
}

NoValue because(const Parameter& parameter, const ValueSource& source, const Trouble& trouble) {
    const std::string where = is_of_payment(parameter) ? "" : " (" + name_of(source) + ")";
    return {trouble.error, ":" + parameter.name + where + ": " + trouble.why, trouble.quotes_event};
}

}  // namespace

std::expected<Datum, NoValue> value_of(const Parameter& parameter, const EventView& event,
                                       std::pmr::memory_resource& made) {
    const auto& types = parameter.only_types;
    if (!types.empty() && !std::ranges::contains(types, event.headers.type)) return nullptr;
    for (const ValueSource& source : parameter.from) {
        auto value = value_at(source, event, made);
        const bool is_last = &source == &parameter.from.back();
        if (value && !*value && is_last && source.fallback) value = fallback_of(source, event, made);
        if (!value) return std::unexpected(because(parameter, source, value.error()));
        if (*value) return **value;
    }
    if (parameter.optional) return nullptr;
    return std::unexpected(not_there(parameter, event.body));
}

std::string name_of(const ValueSource& source) {
    switch (source.from) {
        case From::body:
            return source.pointer.text() + (source.minus ? " minus " + source.minus->pointer.text() : "");
        case From::header:
            return "header " + source.name.substr(record::header::http_prefix.size());
        case From::payment:
            return std::string{webhook::payment_facts[static_cast<std::size_t>(source.fact)]};
        case From::event:
        case From::constant:
            break;
    }
    return source.name;
}

ParameterType Parameter::type() const {
    return from.empty() ? ParameterType::text : type_of(from.front());
}

bool Parameter::is_decimal() const {
    const auto is_one = [](const ValueSource& source) { return source.conversion.as == As::decimal; };
    return !from.empty() && std::ranges::all_of(from, is_one);
}

int Parameter::decimals() const {
    int most = 0;
    for (const ValueSource& source : from) {
        const Conversion& conversion = source.conversion;
        if (conversion.as != As::decimal) continue;
        most = std::max(most, conversion.currency ? webhook::most_exponent : conversion.scale);
    }
    return most;
}

ParameterType type_of(const ValueSource& source) noexcept {
    if (!source.map.empty() || source.conversion.as != As::text) return type_of(source.conversion.as);
    if (source.from == From::event) return type_of_built_in(source.name);
    return source.from == From::payment ? type_of(source.fact) : type_of(source.conversion.as);
}

std::optional<webhook::PaymentFact> fact_named(std::string_view name) noexcept {
    const auto found = std::ranges::find(webhook::payment_facts, name);
    if (found == webhook::payment_facts.end()) return std::nullopt;
    return static_cast<webhook::PaymentFact>(found - webhook::payment_facts.begin());
}

bool may_be_null(webhook::PaymentFact fact) noexcept {
    return fact == webhook::PaymentFact::paid_at || fact == webhook::PaymentFact::payer;
}

ParameterType type_of(webhook::PaymentFact fact) noexcept {
    if (fact == webhook::PaymentFact::amount || fact == webhook::PaymentFact::refunded_total)
        return ParameterType::int64;
    return fact == webhook::PaymentFact::paid_at ? ParameterType::time : ParameterType::text;
}

}  // namespace sluice::effects
