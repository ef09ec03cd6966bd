#pragma once

#include <filesystem>
#include <span>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/recipes/test/sample.hpp"

namespace sluice::ctl {

/// What samples are read against.
struct SampleContext {
    const webhook::Source& source;
    std::filesystem::path folder;  ///< files that samples name are relative to it
    WallTime clock;                ///< `now` of samples that need none
};

/// One entry of `samples:`. `earlier` are those before it, which `like` may name. What is wrong is among the
/// section's problems.
[[nodiscard]] Sample read_sample(config::Section section, const SampleContext& context,
                                 std::span<const Sample> earlier);

}  // namespace sluice::ctl
