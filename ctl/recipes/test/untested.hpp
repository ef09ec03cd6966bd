#pragma once

#include <span>
#include <string>
#include <vector>

#include "ctl/recipes/test/judged_sample.hpp"

namespace sluice::ctl {

/// What no sample shows, one sentence each with what would show it: both verdicts, a changed body, a missing
/// signature, the window's ends, every key, what is read. `judged` are of `samples`, in their order. Pure.
[[nodiscard]] std::vector<std::string> untested(const webhook::Source& source,
                                                std::span<const Sample> samples,
                                                std::span<const JudgedSample> judged);

}  // namespace sluice::ctl
