#include <algorithm>
#include <utility>

#include "consumer/effects/value/event_fields.hpp"
#include "consumer/effects/value/parameters.hpp"
#include "consumer/effects/value/placeholders.hpp"
#include "consumer/effects/value/read_source.hpp"

// Reads the configuration's side of consumer/effects/value/parameters.hpp.
namespace sluice::effects {
namespace {

constexpr std::size_t most_sources = 8;

void read_sources(const config::Value& value, Parameter& parameter, bool has_payment) {
    const auto items = value.is_list() ? value.items() : std::vector{value};
    for (std::size_t i = 0; i < items.size(); ++i)
        read_source(items[i], parameter, i + 1 == items.size(), has_payment);
    if (items.empty() || parameter.from.size() > most_sources)
        value.problem(parameter.name + " must have one to eight places");
    for (const ValueSource& source : parameter.from) {
        if (type_of(source) == parameter.type()) continue;
        value.problem("all places of " + parameter.name + " must give one type: " +
                      name_of(parameter.from.front()) + " and " + name_of(source) + " do not");
        break;
    }
}

}  // namespace

Parameter read_parameter(std::string name, const config::Value& value, bool has_payment) {
    Parameter parameter{.name = std::move(name), .place = value.place()};
    read_sources(value, parameter, has_payment);
    return parameter;
}

std::vector<Parameter> read_parameters(const config::Value& let, bool has_payment) {
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
            parameters.push_back(read_parameter(text, value, has_payment));
            parameters.back().place = name.place();
            if (!parameters.back().column_type.empty())
                value.problem("type is for the columns of a mirror: let has as");
        }
    }
    return parameters;
}

void ask_together(std::vector<Parameter>& let) {
    std::vector<webhook::Pointer*> pointers;
    for (Parameter& parameter : let) {
        for (ValueSource& source : parameter.from) {
            if (source.from == ValueSource::From::body) pointers.push_back(&source.pointer);
            if (source.minus) pointers.push_back(&source.minus->pointer);
            if (source.conversion.currency) pointers.push_back(&*source.conversion.currency);
        }
    }
    webhook::ask_together(pointers);
}

std::optional<std::size_t> find_parameter(std::vector<Parameter>& let, std::string_view name,
                                          bool has_payment) {
    const auto found = std::ranges::find(let, name, &Parameter::name);
    if (found != let.end()) return static_cast<std::size_t>(found - let.begin());
    const auto fact = fact_named(name);
    if (!fact || !has_payment) return std::nullopt;
    let.push_back({.name = std::string{name},
                   .place = {},
                   .from = {{.from = ValueSource::From::payment, .fact = *fact}},
                   .optional = may_be_null(*fact)});
    return let.size() - 1;
}

}  // namespace sluice::effects
