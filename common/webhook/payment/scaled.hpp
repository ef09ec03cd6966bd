#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace sluice::webhook {

enum class NotScaled {
    no_number,  ///< a sign, a space, an exponent, a separator of thousands, no digit before the point
    too_fine,   ///< a digit other than 0 is left behind the point
    too_large,  ///< for int64
};

/// A decimal text times 10^shift, exactly: "88.88" by 2 is 8888, "8888" by -2 is too_fine. Digits with at
/// most one point, which has digits on both sides. Pure, and free of floating point: it is money.
[[nodiscard]] std::expected<std::int64_t, NotScaled> scaled(std::string_view decimal, int shift) noexcept;

}  // namespace sluice::webhook
