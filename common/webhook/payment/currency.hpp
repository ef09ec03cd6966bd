#pragma once

#include <string_view>

namespace sluice::webhook {

/// A currency of ISO 4217 and how many digits its minor unit has: 2 of CNY, 0 of JPY, 3 of KWD.
struct Currency {
    std::string_view code;
    int number;
    int exponent;
};

inline constexpr int most_exponent = 4;  ///< of all currencies

/// "CNY", "cny" or "156"; nullptr for what list one of ISO 4217 lacks, and for what has no minor unit there
/// (XAU, XDR). BGN stays, which left the list in 2026: its payments can still be refunded.
[[nodiscard]] const Currency* currency_of(std::string_view text) noexcept;

}  // namespace sluice::webhook
