#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// An effect beside events of one type from one source.
struct ExplainedEffect {
    std::string name;
    bool matches = false;  ///< as far as that can be told without a body
    std::string why;       ///< what matches, or the first thing that does not
    std::string way;       ///< in a batch or one at a time, and why
};

struct Explanation {
    std::string source;
    std::string
        like;  ///< whose event it is about: "its sample, a payment that is paid"; "any event of the type"
    std::vector<ExplainedEffect> effects{};
};

/// What effects and recipes know of event types, with the nearest to one that none of them knows; else empty.
[[nodiscard]] std::string doubt_about(const std::string& type, const webhook::SourceSet& sources,
                                      const effects::EffectSet& effects);

/// Of each source that can send the type: those with a sample of it; all where none has.
[[nodiscard]] std::vector<Explanation> explain(const std::string& type, const webhook::SourceSet& sources,
                                               const effects::EffectSet& effects, WallTime now);

}  // namespace sluice::ctl
