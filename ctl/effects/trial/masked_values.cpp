#include "ctl/effects/trial/masked_values.hpp"

#include <algorithm>

#include "ctl/redact/payload.hpp"

namespace sluice::ctl {
namespace {

/// The last name of a place in a body: "iban" of /data/object/iban.
std::string last_name(const std::string& pointer) {
    return pointer.substr(pointer.rfind('/') + 1);
}

Json masked_under(const std::string& name, const Json& value) {
    return masked_json(Json{{name, value}}).begin().value();
}

}  // namespace

MaskedValues::MaskedValues(const TrialEffect& effect) {
    for (const auto& [name, value] : effect.let) {
        const auto its = std::ranges::find(effect.effect->let(), name, &effects::Parameter::name);
        const Json by_place = masked_under(last_name(its->pointer.text()), value);
        Json masked = by_place == value ? masked_under(name, value) : by_place;
        if (masked != value) hidden_.emplace(to_line(value), masked);
        let_[name] = std::move(masked);
    }
}

Json MaskedValues::value(const Json& value) const {
    const auto found = hidden_.find(to_line(value));
    return found == hidden_.end() ? masked_json(value) : found->second;
}

}  // namespace sluice::ctl
