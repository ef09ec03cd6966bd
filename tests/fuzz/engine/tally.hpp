#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/webhook/signature/signature_refusal.hpp"

namespace sluice::fuzz {

/// What was done with one recipe. An execution is one call of verify() with one request.
struct Tally {
    std::string recipe;
    std::uint64_t executions = 0;
    std::uint64_t compared = 0;   ///< of these, those that got as far as a comparison of signatures
    std::uint64_t authentic = 0;  ///< of these, those that passed
    std::uint64_t extracted = 0;  ///< events read out of them

    /// A verdict: nothing is authentic. Says now and then how far all of them are.
    void count(std::optional<webhook::Check> refusal);
};

/// One for each recipe, for as long as the process runs; a table of all of them at its end.
[[nodiscard]] Tally& tally_of(const std::string& recipe);

}  // namespace sluice::fuzz
