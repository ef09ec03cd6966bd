#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ingress/verify/program.hpp"
#include "ingress/verify/refusal.hpp"
#include "ingress/verify/request.hpp"

namespace sluice::verify {

/// What a request brings for its signature: views into it, of bounded number.
struct SignedInputs {
    std::array<std::string_view, most_slots> slots{};
    std::array<std::string_view, most_candidates> candidates{};
    std::size_t candidate_count = 0;  ///< found; only as many as the recipe allows are kept
};

/// What is wrong with a request, without words yet.
struct Finding {
    Check check;
    std::string_view header;  ///< of the program
    std::int64_t figure = 0;  ///< what was found: an age, a length, a count
};

/// Fills `inputs` from the request: every header that takes part exactly once and within bounds,
/// the signature header taken apart. Elements that the recipe does not name are skipped. No crypto,
/// no clock.
[[nodiscard]] std::optional<Finding> collect(const Program& program, const Request& request,
                                             SignedInputs& inputs);

}  // namespace sluice::verify
