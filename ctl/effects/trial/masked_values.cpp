#include "ctl/effects/trial/masked_values.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

#include "ctl/redact/payload.hpp"

namespace sluice::ctl {
namespace {

Json masked_under(const std::string& name, const Json& value) {
    return masked_json(Json{{name, value}}).begin().value();
}

/// A text that is JSON is masked by what it says, as a body is.
Json masked_value(const Json& value) {
    if (!value.is_string()) return masked_json(value);
    const auto& text = value.get_ref<const std::string&>();
    return text.starts_with('{') || text.starts_with('[') ? Json(masked_body(text)) : masked_json(value);
}

/// As it is masked where it stands in a body: a name anywhere above it may hide it.
Json masked_at(std::string_view pointer, const Json& value) {
    for (auto part : pointer | std::views::split('/')) {
        const std::string name{std::string_view{part}};
        if (Json masked = masked_under(name, value); masked != value) return masked;
    }
    return value;
}

Json masked_where_it_may_stand(const effects::Parameter& parameter, const Json& value) {
    for (const effects::ValueSource& source : parameter.from) {
        const bool is_in_body = source.from == effects::ValueSource::From::body;
        Json masked = is_in_body ? masked_at(source.pointer.text(), value) : masked_under(source.name, value);
        if (masked != value) return masked;
    }
    return value;
}

}  // namespace

MaskedValues::MaskedValues(const TrialEffect& effect) {
    for (const auto& [name, value] : effect.let) {
        const auto its = std::ranges::find(effect.effect->let(), name, &effects::Parameter::name);
        const Json by_place = masked_where_it_may_stand(*its, value);
        Json masked = by_place == value ? masked_under(name, value) : by_place;
        if (masked == value) masked = masked_value(value);
        if (masked != value) hidden_.emplace(to_line(value), masked);
        let_[name] = std::move(masked);
    }
}

Json MaskedValues::value(const Json& value) const {
    const auto found = hidden_.find(to_line(value));
    return found == hidden_.end() ? masked_value(value) : found->second;
}

}  // namespace sluice::ctl
