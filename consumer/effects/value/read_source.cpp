#include "consumer/effects/value/read_source.hpp"

#include <algorithm>
#include <initializer_list>

#include "common/error.hpp"
#include "common/record/header_names.hpp"
#include "common/webhook/http/header_lookup.hpp"
#include "common/webhook/payment/currency.hpp"
#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"
#include "consumer/effects/value/event_fields.hpp"

namespace sluice::effects {
namespace {

using config::Section;
using config::Value;
using From = ValueSource::From;

constexpr std::size_t most_lines = 256;
constexpr std::initializer_list<std::string_view> as_names{"text",    "int64", "boolean", "time", "minor",
                                                           "decimal", "hex",   "base64",  "json"};  // as As

std::optional<webhook::Pointer> pointer_from(const std::string& text, const auto& problem) {
    auto pointer = webhook::Pointer::parse(text);
    if (pointer && !text.empty()) return std::move(*pointer);
    problem("'" + text + "' is not a JSON pointer: it must start with /, as in /data/object/id (RFC 6901)");
    return std::nullopt;
}

std::optional<ValueSource::Minus> read_minus(const Value& value) {
    const auto say = [&value](const std::string& sentence) { value.problem(sentence); };
    if (!value.is_mapping()) {
        auto pointer = pointer_from(value.scalar(), say);
        if (!pointer) return std::nullopt;
        return ValueSource::Minus{std::move(*pointer), false};
    }
    Section section{value, "minus"};
    auto pointer = pointer_from(section.required_text("pointer"), say);
    const bool optional = section.boolean("optional", false);
    if (!pointer) return std::nullopt;
    return ValueSource::Minus{std::move(*pointer), optional};
}

/// `scale`, or `currency`: a code of ISO 4217, or where the body says one.
void read_digits(Section& section, Conversion& conversion) {
    const bool is_money = conversion.as == As::minor || conversion.as == As::decimal;
    const bool has_scale = section.has("scale");
    const bool has_currency = section.has("currency");
    if (has_scale) conversion.scale = static_cast<int>(section.integer("scale", 0, 0, most_decimals));
    if (is_money && has_scale == has_currency)
        section.problem("as: minor and as: decimal need either scale or currency");
    if (!is_money && (has_scale || has_currency))
        section.problem_at(has_scale ? "scale" : "currency",
                           "scale and currency are only for as: minor and as: decimal");
    if (!has_currency) return;
    const std::string code = section.text("currency", "");
    if (code.starts_with('/')) {
        conversion.currency = pointer_from(
            code, [&](const std::string& sentence) { section.problem_at("currency", sentence); });
    } else if (const auto* currency = webhook::currency_of(code)) {
        conversion.scale = currency->exponent;
    } else {
        section.problem_at(
            "currency",
            "'" + code + "' is no code of ISO 4217 with a minor unit, such as CNY, and no JSON pointer");
    }
}

Conversion read_conversion(Section& section) {
    Conversion conversion;
    const std::string as = section.one_of("as", as_names, "text");
    conversion.as = static_cast<As>(std::ranges::find(as_names, as) - as_names.begin());
    read_digits(section, conversion);
    const bool has_zone = section.has("zone");
    if (section.has("forms")) {
        conversion.forms.emplace();
        webhook::read_time_forms(section, *conversion.forms);
    } else if (has_zone) {
        section.problem_at("zone", "zone needs forms: rfc3339, for texts without an offset, or compact");
    }
    if (conversion.as != As::time && conversion.forms)
        section.problem_at("forms", "forms are only for as: time");
    return conversion;
}

void read_map(Section& section, ValueSource& source) {
    const auto value = section.value("map");
    if (!value) return;
    const auto entries = value->entries();
    if (entries.empty() || entries.size() > most_lines)
        value->problem("map must be a mapping from texts to texts, with 1 to 256 lines");
    for (const auto& [from, to] : entries) {
        if (!to.is_scalar() || !from.is_scalar()) to.problem("map must go from a text to a text");
        if (!source.map.emplace(from.scalar(), to.scalar()).second)
            from.problem("map has \"" + from.scalar() + "\" twice");
    }
}

/// Texts of the configuration are converted for each event: what its `as` does not take would never work.
void check_constants(const Value& value, const ValueSource& source) {
    const auto check = [&](const std::string& text) {
        std::pmr::monotonic_buffer_resource made;
        const Conversion& conversion = source.conversion;
        const auto good = converted(conversion, constant(conversion.as, text), conversion.scale, made);
        webhook::JsonView json;
        const bool is_of_currency = conversion.currency && !good && good.error().error == errc::out_of_range;
        if (!good && !is_of_currency) value.problem("\"" + text + "\" " + std::string{good.error().why});
        if (conversion.as == As::json && !json.read(text)) value.problem("\"" + text + "\" is no JSON");
        if (good && std::holds_alternative<std::nullptr_t>(*good))
            value.problem("\"\" stands for no time: for NULL, set optional: true");
    };
    if (source.from == From::constant && source.map.empty()) check(source.name);
    for (const auto& line : source.map) check(line.second);
    if (source.fallback) check(*source.fallback);
}

/// Text says no truth, and is no JSON.
void refuse_unreadable_text(Section& section, const ValueSource& source, const char* key,
                            const std::string& what) {
    if (source.map.empty() && (source.conversion.as == As::boolean || source.conversion.as == As::json))
        section.problem_at(key, what + ": map says what which text means");
}

void read_header(Section& section, ValueSource& source) {
    source.from = From::header;
    const std::string name = section.required_text("header");
    if (!webhook::is_header_name(name))
        section.problem_at("header", "a header's name must have only letters, digits and -");
    source.name = record::header::http_prefix;
    std::ranges::transform(name, std::back_inserter(source.name), webhook::lower_case);
    refuse_unreadable_text(section, source, "header", "a header is text");
}

std::string known_fields(bool has_payment) {
    std::string known =
        "event_id, event_type, object, source, provider, principal, livemode, received_at, occurred_at";
    if (has_payment) known += ", or a fact of the payment";
    return known;
}

void read_event(Section& section, ValueSource& source, bool has_payment) {
    const std::string name = section.required_text("event");
    const auto fact = fact_named(name);
    source.from = fact && !is_built_in(name) ? From::payment : From::event;
    source.name = name;
    if (fact) source.fact = *fact;
    if (source.from == From::payment ? !has_payment : !is_built_in(name)) {
        source.from = From::constant;
        return section.problem_at(
            "event", "'" + name + "' is no field of an event: it must be " + known_fields(has_payment));
    }
    const auto own = source.from == From::payment ? type_of(*fact) : type_of_built_in(name);
    if (!source.map.empty() && own != ParameterType::text)
        section.problem_at("map", "map is for texts, and " + name + " is none");
    if (source.map.empty() && own != ParameterType::text && section.has("as"))
        section.problem_at("as", name + " has a type of its own: as is for texts");
    refuse_unreadable_text(section, source, "event", name + " is text");
}

void read_value(Section& section, ValueSource& source) {
    source.from = From::constant;
    const auto value = section.value("value");
    if (!value->is_scalar()) section.problem_at("value", "value must be a text or a number");
    source.name = value->scalar();
}

/// The empty pointer is the whole body (RFC 6901 section 5), of which only its JSON text is a value.
std::vector<webhook::Pointer> read_pointers(Section& section, As as) {
    std::vector<webhook::Pointer> pointers;
    const auto say = [&section](const std::string& sentence) { section.problem_at("pointer", sentence); };
    for (const std::string& text : section.texts("pointer")) {
        if (text.empty() && as == As::json)
            pointers.emplace_back();
        else if (text.empty())
            say("the empty pointer is the whole body, of which only the JSON can be read: set as: json");
        else if (auto pointer = pointer_from(text, say))
            pointers.push_back(std::move(*pointer));
    }
    if (section.texts("pointer").empty()) say("pointer must be a JSON pointer, or a list of one to eight");
    return pointers;
}

void read_instead(Section& section, ValueSource& source, Parameter& parameter, bool last) {
    parameter.optional = section.boolean("optional", false);
    if (section.has("default")) {
        const auto value = section.value("default");
        if (!value->is_scalar()) section.problem_at("default", "default must be a text or a number");
        source.fallback = value->scalar();
    }
    if (source.fallback && parameter.optional)
        section.problem_at(
            "optional", "default and optional exclude each other: with a default, the value is always there");
    if (!last && (source.fallback || parameter.optional))
        section.problem_at(source.fallback ? "default" : "optional",
                           "only the last place of a list can be optional or have a default");
}

void read_mapping(const Value& value, Parameter& parameter, bool last, bool has_payment) {
    Section section{value, parameter.name};
    ValueSource source{.conversion = read_conversion(section)};
    read_map(section, source);
    std::vector<std::string> kinds;
    for (const auto* kind : {"pointer", "header", "event", "value"})
        if (section.has(kind)) kinds.emplace_back(kind);
    if (kinds.empty()) (void)section.required_text("pointer");
    if (kinds.size() > 1)
        section.problem("give one of pointer, header, event and value; a list names several");
    read_instead(section, source, parameter, last);
    if (section.has("type")) parameter.column_type = section.required_text("type");
    if (const auto minus = section.value("minus")) {
        source.minus = read_minus(*minus);
        if (source.conversion.as != As::int64) minus->problem("minus is only for numbers: set as: int64");
        if (kinds != std::vector<std::string>{"pointer"} || !source.map.empty())
            minus->problem("minus is only for what stands in the body as it is");
    }
    if (kinds.size() != 1) return;
    if (kinds.front() == "header") read_header(section, source);
    if (kinds.front() == "event") read_event(section, source, has_payment);
    if (kinds.front() == "value") read_value(section, source);
    check_constants(value, source);
    if (kinds.front() != "pointer") return parameter.from.push_back(std::move(source));
    for (auto& pointer : read_pointers(section, source.conversion.as)) {
        parameter.from.push_back(source);
        parameter.from.back().pointer = std::move(pointer);
    }
}

}  // namespace

void read_source(const Value& value, Parameter& parameter, bool last, bool has_payment) {
    if (value.is_mapping()) return read_mapping(value, parameter, last, has_payment);
    const auto say = [&value](const std::string& sentence) { value.problem(sentence); };
    if (auto pointer = pointer_from(value.scalar(), say))
        parameter.from.push_back({.pointer = std::move(*pointer)});
}

}  // namespace sluice::effects
