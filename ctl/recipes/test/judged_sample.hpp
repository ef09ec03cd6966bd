#pragma once

#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "ctl/recipes/test/sample.hpp"
#include "ctl/verify/verdict.hpp"

namespace sluice::ctl {

/// Where a verdict is not what was expected.
struct Difference {
    std::string what;  ///< "verdict", "check", "key", "events", "events[0].type"
    std::string expected;
    std::string actual;
};

struct JudgedSample {
    Verdict verdict;
    std::vector<Difference> differences;  ///< none: as expected
    std::string hint;                     ///< what would make it right, where that is known
};

/// What the ingress makes of it at `now`. Pure.
[[nodiscard]] Verdict judge_sample(const webhook::Source& source, const SampleRequest& request, WallTime now);
/// The same as of the sample's own time, against what is expected of it.
[[nodiscard]] JudgedSample compare_sample(const webhook::Source& source, const Sample& sample);

}  // namespace sluice::ctl
