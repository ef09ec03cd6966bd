#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <string_view>

#include "common/webhook/body/form.hpp"
#include "common/webhook/http/request.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signature_refusal.hpp"

namespace sluice::webhook {

/// A signature as it is written, and what its label says.
struct Candidate {
    std::string_view text;
    std::string_view label;  ///< empty where signatures have none
};

/// What a request brings for its signature: views into it, of bounded number. Does not move: some of the
/// views are into itself.
struct SignedInputs {
    SignedInputs() = default;
    SignedInputs(const SignedInputs&) = delete;
    SignedInputs& operator=(const SignedInputs&) = delete;

    std::array<std::string_view, most_slots> slots{};
    std::array<Candidate, most_candidates> candidates{};
    std::size_t candidate_count = 0;  ///< found; only as many as the recipe allows are kept

    [[nodiscard]] bool has(std::uint8_t slot) const noexcept { return slots[slot].data() != nullptr; }

    /// Texts that do not stand in the request as they count: decoded, in lower case, computed. As many bytes
    /// as `own_used` says.
    std::array<char, 1024> own;
    std::size_t own_used = 0;

    /// For a request of this program: its slots are empty. What else was here is left, and counts no more.
    void clear(const Program& program) noexcept {
        std::fill_n(slots.begin(), 1 + program.inputs.size(), std::string_view{});
        candidate_count = 0;
        own_used = 0;
    }
};

/// What is wrong with a request, without words yet.
struct Finding {
    Check check;
    std::string_view header;  ///< of the program
    std::int64_t figure = 0;  ///< what was found: an age, a length, a count
};

/// What a step of a check came to.
using Checked = std::expected<void, Finding>;

/// Fills `inputs` from the request: every header and parameter that takes part exactly once and within
/// bounds, the signature header taken apart. Elements that the recipe does not name are skipped. No
/// crypto, no clock. `form` holds the fields of a form body, which must outlive `inputs`; `item` is the one
/// whose fields take part, where a delivery has several events.
[[nodiscard]] Checked collect(const Program& program, const Request& request, Form& form,
                              SignedInputs& inputs, const JsonView* item = nullptr);

}  // namespace sluice::webhook
