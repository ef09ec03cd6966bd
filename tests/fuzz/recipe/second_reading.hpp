#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::fuzz {

/// A request that owns its text.
struct Letter {
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;

    [[nodiscard]] std::vector<webhook::HeaderField> fields() const;
};

/// What an attacker would do with one good request: the same signed text, but with the borders between its
/// parts elsewhere. `choice` says which of the places to take; nothing when there is no other reading.
[[nodiscard]] std::optional<Letter> second_reading(const webhook::Program& program,
                                                   const webhook::SignedInputs& inputs, std::uint64_t choice);

/// The texts that the signature covers, by slot.
[[nodiscard]] std::vector<std::string> covered(const webhook::Program& program,
                                               const webhook::SignedInputs& inputs);

}  // namespace sluice::fuzz
