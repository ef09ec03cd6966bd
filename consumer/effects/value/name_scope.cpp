#include "consumer/effects/value/name_scope.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "common/config/nearest_key.hpp"
#include "common/webhook/payment/payment.hpp"
#include "consumer/effects/value/event_fields.hpp"
#include "consumer/effects/value/placeholders.hpp"

namespace sluice::effects {

NameScope::NameScope(config::Section& effect, bool has_payment)
    : has_payment_{has_payment}, value_{effect.value("let")} {
    if (value_) read_let(*value_);
}

NameScope::NameScope(config::Section& effect, std::vector<Parameter> given)
    : has_payment_{false}, value_{effect.value("let")}, let_{std::move(given)}, used_(let_.size(), true) {
    if (value_) read_let(*value_);
}

void NameScope::read_let(const config::Value& let) {
    for (Parameter& one : read_parameters(let, has_payment_)) {
        if (has_in_let(one.name)) let.problems().add(one.place, ":" + one.name + " is there already");
        let_.push_back(std::move(one));
    }
    used_.resize(let_.size());
    problems_before_ = let.problems().count();
}

void NameScope::note_case(std::string case_class, const config::Place& place) {
    if (std::ranges::contains(cases_, case_class, &Case::case_class)) return;
    cases_.push_back({std::move(case_class), place});
}

std::optional<std::size_t> NameScope::find(std::string_view name) {
    const auto found = find_parameter(let_, name, has_payment_);
    if (found && *found < used_.size()) used_[*found] = true;
    return found;
}

bool NameScope::has_in_let(std::string_view name) const {
    return std::ranges::contains(std::span{let_}.first(used_.size()), name, &Parameter::name);
}

std::size_t NameScope::add(Parameter parameter) {
    let_.push_back(std::move(parameter));
    return let_.size() - 1;
}

bool NameScope::limit_to_types(std::size_t parameter, std::vector<std::string> types) {
    if (is_parameter_name(let_[parameter].name)) return false;
    let_[parameter].only_types = std::move(types);
    return true;
}

std::vector<std::string> NameScope::known() const {
    std::vector<std::string> names = built_in_names();
    if (has_payment_) names.insert(names.end(), webhook::payment_facts.begin(), webhook::payment_facts.end());
    for (const Parameter& one : let_)
        if (is_parameter_name(one.name)) names.push_back(one.name);
    return names;
}

bool NameScope::knows(std::string_view name) const {
    return std::ranges::contains(known(), name);
}

std::string NameScope::unknown(std::string_view name) const {
    const std::string said = ":" + std::string{name};
    if (fact_named(name))
        return said + " is a fact of payments: set payment under when, or add " + std::string{name} +
               " to let";
    const auto names = known();
    const auto nearest = config::nearest_key(name, names, name.size() / 3);
    if (nearest.empty()) return said + " is not known: add it to let";
    return said + " is not known: did you mean :" + std::string{nearest} + "?";
}

void NameScope::complain_of_unused() const {
    if (!value_ || value_->problems().count() != problems_before_) return;
    for (std::size_t i = 0; i < used_.size(); ++i) {
        if (!used_[i]) value_->problems().add(let_[i].place, "nothing uses :" + let_[i].name);
    }
}

}  // namespace sluice::effects
