#include "common/webhook/payment/scaled.hpp"

#include <algorithm>

namespace sluice::webhook {

namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// False where the number leaves int64.
bool append_digit(std::int64_t& number, char digit) {
    return !__builtin_mul_overflow(number, 10, &number) &&
           !__builtin_add_overflow(number, digit - '0', &number);
}

}  // namespace

std::expected<std::int64_t, NotScaled> scaled(std::string_view decimal, int shift) noexcept {
    const std::size_t point = decimal.find('.');
    std::string_view whole = decimal.substr(0, point);
    std::string_view fraction = point == std::string_view::npos ? "0" : decimal.substr(point + 1);
    if (!is_digits(whole) || !is_digits(fraction)) return std::unexpected(NotScaled::no_number);
    std::int64_t number = 0;
    for (; shift < 0; ++shift) {
        if (!whole.empty() && whole.back() != '0') return std::unexpected(NotScaled::too_fine);
        if (!whole.empty()) whole.remove_suffix(1);
    }
    for (const char digit : whole)
        if (!append_digit(number, digit)) return std::unexpected(NotScaled::too_large);
    for (; shift > 0; --shift) {
        if (!append_digit(number, fraction.empty() ? '0' : fraction.front()))
            return std::unexpected(NotScaled::too_large);
        if (!fraction.empty()) fraction.remove_prefix(1);
    }
    if (fraction.find_first_not_of('0') != std::string_view::npos)
        return std::unexpected(NotScaled::too_fine);
    return number;
}

}  // namespace sluice::webhook
