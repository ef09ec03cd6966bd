#include "ctl/effects/trial/masked_values.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

#include "common/redact/payload.hpp"
#include "consumer/effects/send/read_send.hpp"
#include "ctl/redact/readable_body.hpp"

namespace sluice::ctl {
namespace {

Json masked_under(const std::string& name, const Json& value) {
    return redact::masked_json(Json{{name, value}}).begin().value();
}

/// What a text of JSON (as: json) says, so that it is masked as a body is; else the value itself.
Json said_by(const Json& value) {
    if (!value.is_string()) return value;
    const auto& text = value.get_ref<const std::string&>();
    if (!text.starts_with('{') && !text.starts_with('[')) return value;
    const auto said = parse_json(text);
    return said.value_or(value);
}

/// Of such a text: as one again.
Json as_text(Json masked) {
    return masked.is_structured() ? Json(to_line(masked)) : std::move(masked);
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

/// A message's body as JSON, however it is written.
Json as_read(const std::string& name, const Json& value) {
    const bool is_body = name == effects::body_name && value.is_string();
    return is_body ? Json(readable_body(value.get_ref<const std::string&>())) : value;
}

}  // namespace

MaskedValues::MaskedValues(const TrialEffect& effect) {
    for (const auto& [name, value] : effect.let) {
        const auto its = std::ranges::find(effect.effect->let(), name, &effects::Parameter::name);
        const Json read = as_read(name, value);
        const Json said = said_by(read);
        const Json by_place = masked_where_it_may_stand(*its, said);
        Json masked = by_place == said ? masked_under(name, said) : by_place;
        let_[name] = masked == said ? read : as_text(std::move(masked));
        if (let_[name] != value) hidden_.emplace(to_line(value), let_[name]);
    }
}

Json MaskedValues::value(const Json& value) const {
    const auto found = hidden_.find(to_line(value));
    return found == hidden_.end() ? as_text(redact::masked_json(said_by(value))) : found->second;
}

}  // namespace sluice::ctl
