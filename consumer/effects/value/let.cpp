#include <algorithm>

#include "consumer/effects/value/parameters.hpp"
#include "consumer/effects/value/placeholders.hpp"

// Reads the configuration's side of consumer/effects/value/parameters.hpp.
namespace sluice::effects {
namespace {

std::optional<webhook::Pointer> pointer_from(const std::string& text, const auto& problem) {
    auto pointer = webhook::Pointer::parse(text);
    if (pointer && !text.empty()) return std::move(*pointer);
    problem("'" + text + "' is not a JSON pointer: it must start with /, as in /data/object/id (RFC 6901)");
    return std::nullopt;
}

ParameterType type_from(const std::string& name) {
    if (name == "int64") return ParameterType::int64;
    if (name == "boolean") return ParameterType::boolean;
    if (name == "time") return ParameterType::time;
    return ParameterType::text;
}

std::optional<Parameter::Minus> read_minus(const config::Value& value) {
    const auto say = [&value](const std::string& sentence) { value.problem(sentence); };
    if (!value.is_mapping()) {
        auto pointer = pointer_from(value.scalar(), say);
        if (!pointer) return std::nullopt;
        return Parameter::Minus{std::move(*pointer), false};
    }
    config::Section section{value, "minus"};
    auto pointer = pointer_from(section.required_text("pointer"), say);
    const bool optional = section.boolean("optional", false);
    if (!pointer) return std::nullopt;
    return Parameter::Minus{std::move(*pointer), optional};
}

/// {pointer, as, optional, minus}
void read_mapping(const config::Value& value, Parameter& parameter) {
    config::Section section{value, parameter.name};
    const auto say = [&section](const std::string& sentence) { section.problem_at("pointer", sentence); };
    const auto text = section.required_text("pointer");
    if (!text.empty()) {
        if (auto pointer = pointer_from(text, say)) parameter.pointer = std::move(*pointer);
    }
    parameter.type = type_from(section.one_of("as", {"text", "int64", "boolean", "time"}, "text"));
    parameter.optional = section.boolean("optional", false);
    const auto minus = section.value("minus");
    if (!minus) return;
    parameter.minus = read_minus(*minus);
    if (parameter.type != ParameterType::int64) minus->problem("minus is only for numbers: set as: int64");
}

Parameter read_parameter(const config::Value& name, const config::Value& value) {
    Parameter parameter;
    parameter.name = name.scalar();
    parameter.place = name.place();
    if (value.is_mapping()) {
        read_mapping(value, parameter);
        return parameter;
    }
    const auto say = [&value](const std::string& sentence) { value.problem(sentence); };
    if (auto pointer = pointer_from(value.scalar(), say)) parameter.pointer = std::move(*pointer);
    return parameter;
}

std::optional<webhook::PaymentFact> payment_fact(std::string_view name) {
    const auto found = std::ranges::find(webhook::payment_facts, name);
    if (found == webhook::payment_facts.end()) return std::nullopt;
    return static_cast<webhook::PaymentFact>(found - webhook::payment_facts.begin());
}

ParameterType type_of(webhook::PaymentFact fact) {
    if (fact == webhook::PaymentFact::amount || fact == webhook::PaymentFact::refunded_total)
        return ParameterType::int64;
    return fact == webhook::PaymentFact::paid_at ? ParameterType::time : ParameterType::text;
}

}  // namespace

std::vector<Parameter> read_parameters(const config::Value& let) {
    std::vector<Parameter> parameters;
    if (!let.is_mapping()) {
        let.problem(
            "let must be a mapping from names to JSON pointers, as in {customer: /data/object/customer}");
        return parameters;
    }
    for (const auto& [name, value] : let.entries()) {
        const auto text = name.scalar();
        if (!is_parameter_name(text)) {
            name.problem("'" + text +
                         "' is not a parameter name: it must have only letters, digits and _, and not start "
                         "with a digit");
        } else if (is_built_in(text)) {
            name.problem(":" + text + " is reserved: every event has it");
        } else {
            parameters.push_back(read_parameter(name, value));
        }
    }
    return parameters;
}

std::optional<std::size_t> find_parameter(std::vector<Parameter>& let, std::string_view name,
                                          bool has_payment) {
    const auto found = std::ranges::find(let, name, &Parameter::name);
    if (found != let.end()) return static_cast<std::size_t>(found - let.begin());
    const auto fact = payment_fact(name);
    if (!fact || !has_payment) return std::nullopt;
    let.push_back({.name = std::string{name},
                   .place = {},
                   .pointer = {},
                   .type = type_of(*fact),
                   .optional = may_be_null(*fact),
                   .minus = {},
                   .fact = fact});
    return let.size() - 1;
}

std::string unknown_parameter(std::string_view name) {
    const std::string said = ":" + std::string{name};
    if (payment_fact(name))
        return said + " is a fact of payments: set payment under when, or add " + std::string{name} +
               " to let";
    return said + " is not known: add it to let";
}

}  // namespace sluice::effects
