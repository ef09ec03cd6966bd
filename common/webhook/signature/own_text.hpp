#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// Texts that live in `inputs`; nothing when there is no room left for one.
[[nodiscard]] std::optional<std::string_view> own_lower_case(SignedInputs& inputs, std::string_view text);
/// application/x-www-form-urlencoded; nothing as well for a % without two hex digits.
[[nodiscard]] std::optional<std::string_view> own_decoded(SignedInputs& inputs, std::string_view encoded);
/// Decimal digits.
[[nodiscard]] std::string_view own_integer(SignedInputs& inputs, std::int64_t number);
/// CRC-32 (ISO 3309, as in zlib) of the body, a decimal number without leading zeros.
[[nodiscard]] std::string_view own_crc32(SignedInputs& inputs, std::string_view body);

}  // namespace sluice::webhook
