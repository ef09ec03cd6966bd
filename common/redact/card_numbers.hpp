#pragma once

#include <string>
#include <string_view>

namespace sluice::redact {

/// Pure. Every run of 13 to 19 digits that passes Luhn's check keeps its first six and last four digits, the
/// others become '*'. The digits may stand in groups with up to three characters between them that are
/// neither letters nor the structure of a format (symbols.hpp), percent-encoded or not; no more digits may
/// touch the run. What is no card number and passes by chance is masked too: this is for people's eyes.
[[nodiscard]] std::string without_card_numbers(std::string_view text);

/// The sum of digits of ISO/IEC 7812-1, annex B; false for anything but digits.
[[nodiscard]] bool passes_luhn(std::string_view digits) noexcept;

}  // namespace sluice::redact
