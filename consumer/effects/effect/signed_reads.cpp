#include "consumer/effects/effect/signed_reads.hpp"

#include <algorithm>

#include "common/joined.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::effects {
namespace {

/// The first place that a parameter reads and the source does not sign.
const webhook::Pointer* unsigned_read(const Parameter& parameter, const webhook::Source& source) {
    if (parameter.fact) return nullptr;  // a recipe reads facts of what is signed (facts_safety.cpp)
    const auto is_signed = [&](const webhook::Pointer& pointer) {
        return std::ranges::contains(source.signed_fields, pointer.text());
    };
    if (!is_signed(parameter.pointer)) return &parameter.pointer;
    return parameter.minus && !is_signed(parameter.minus->pointer) ? &parameter.minus->pointer : nullptr;
}

}  // namespace

void check_signed_reads(const Effect& effect, const webhook::SourceSet& sources, config::Problems& problems) {
    if (effect.when().trusts("fields")) return;
    for (const auto& source : sources) {
        if (source->signed_fields.empty() || !effect.when().is_for(*source)) continue;
        for (const Parameter& parameter : effect.let()) {
            const webhook::Pointer* const place = unsigned_read(parameter, *source);
            if (place == nullptr) continue;
            problems.add(
                parameter.place,
                ":" + parameter.name + " reads " + place->text() + ", which source '" + source->name +
                    "' does not sign: anyone who has one delivery could change it. The signature covers " +
                    joined(source->signed_fields, ", ") +
                    "; to let the effect act on other fields too, set trust: fields under when");
        }
    }
}

}  // namespace sluice::effects
