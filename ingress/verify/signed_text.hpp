#pragma once

#include <array>
#include <span>
#include <string_view>

#include "ingress/verify/program.hpp"
#include "ingress/verify/signed_inputs.hpp"

namespace sluice::verify {

/// The text that a signature covers, as pieces in order: nothing is copied. Lives no longer than
/// the program and the request.
class SignedText {
public:
    SignedText(const Program& program, const SignedInputs& inputs) noexcept
        : count_(program.segments.size()) {
        for (std::size_t i = 0; i < count_; ++i) {
            const Segment& segment = program.segments[i];
            pieces_[i] =
                segment.slot == Segment::fixed ? std::string_view(segment.text) : inputs.slots[segment.slot];
        }
    }

    [[nodiscard]] std::span<const std::string_view> pieces() const noexcept {
        return {pieces_.data(), count_};
    }

private:
    std::array<std::string_view, most_segments> pieces_{};
    std::size_t count_;
};

}  // namespace sluice::verify
