#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// The text that a signature covers under one reading, as pieces in order: nothing is copied. Good for no
/// longer than the program and the request.
class SignedText {
public:
    SignedText() = default;
    SignedText(const std::vector<Segment>& reading, const SignedInputs& inputs) noexcept {
        read(reading, inputs);
    }

    /// Replaces what was read before.
    void read(const std::vector<Segment>& reading, const SignedInputs& inputs) noexcept {
        count_ = 0;
        for (const Segment& segment : reading) {
            if (segment.only_if != Segment::always && !inputs.has(segment.only_if)) continue;
            pieces_[count_++] =
                segment.slot == Segment::fixed ? std::string_view(segment.text) : inputs.slots[segment.slot];
        }
    }

    [[nodiscard]] std::span<const std::string_view> pieces() const noexcept {
        return {pieces_.data(), count_};
    }

private:
    std::array<std::string_view, most_segments> pieces_{};
    std::size_t count_ = 0;
};

}  // namespace sluice::webhook
