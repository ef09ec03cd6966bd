#include "consumer/effects/effect/misspelt_types.hpp"

#include <algorithm>
#include <ranges>

#include "common/config/nearest_key.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::effects {
namespace {

/// Whether the type of the recipe's events is what stands at this place, and nothing else.
bool is_type(const webhook::Program& program, const webhook::Pointer& at) {
    return std::ranges::any_of(program.extraction.type, [&at](const webhook::Joined& parts) {
        return parts.size() == 1 && parts.front().from == webhook::Fact::From::pointer &&
               parts.front().pointer.text() == at.text();
    });
}

/// By which the recipe tells payments.
void add_types(const webhook::Program& program, std::vector<std::string>& types) {
    if (!program.payment) return;
    for (const webhook::PaymentCase& one : program.payment->cases)
        for (const webhook::BodyTest& test : one.when)
            if (is_type(program, test.at)) std::ranges::copy(test.any_of, std::back_inserter(types));
}

}  // namespace

std::vector<std::string> doubts_of_types(const When& when, const webhook::SourceSet& sources) {
    std::vector<std::string> known;
    for (const auto& source : sources)
        if (source->program != nullptr && when.is_for(*source)) add_types(*source->program, known);
    std::vector<std::string> doubts;
    for (const std::string& type : when.types()) {
        if (type.ends_with('*') || std::ranges::contains(known, type)) continue;
        const auto nearest = config::nearest_key(type, known, 1);
        if (!nearest.empty())
            doubts.push_back("the type '" + type + "' may be misspelt: did you mean '" +
                             std::string{nearest} + "'?");
    }
    return doubts;
}

}  // namespace sluice::effects
