#include "consumer/effects/set_based/exact.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::effects {
namespace {

using ColumnKind = store::ColumnFacts::Kind;

constexpr int most_digits = 36;  // 10^36 and the sums we make of it stay below 2^127
constexpr int most_scale = 18;

Wide power(Wide base, int exponent) noexcept {
    Wide out = 1;
    for (int i = 0; i < exponent; ++i) out *= base;
    return out;
}

std::optional<Wide> steps_in(std::string_view text, int scale) noexcept {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    if (text.empty() || text.size() > most_digits + 2) return std::nullopt;
    Wide steps = 0;
    int after_point = -1;  // digits behind the point; -1 before it
    for (const char c : text) {
        if (c == '.' && after_point < 0) {
            after_point = 0;
            continue;
        }
        if (c < '0' || c > '9') return std::nullopt;
        steps = steps * 10 + (c - '0');
        if (after_point >= 0) ++after_point;
    }
    if (after_point < 0) after_point = 0;
    if (after_point > scale) return std::nullopt;
    steps *= power(10, scale - after_point);
    return is_negative ? -steps : steps;
}

}  // namespace

std::optional<Range> Range::of(const store::ColumnFacts& column) noexcept {
    if (column.kind == ColumnKind::integer) {
        const Wide values = power(2, 8 * column.bytes);
        if (column.is_unsigned) return Range{0, values - 1, 1, 0};
        return Range{-values / 2, values / 2 - 1, 1, 0};
    }
    const bool fits = column.precision <= most_digits && column.scale <= most_scale;
    if (column.kind != ColumnKind::decimal || !fits) return std::nullopt;
    const Wide most = power(10, column.precision) - 1;
    return Range{column.is_unsigned ? 0 : -most, most, power(10, column.scale), column.scale};
}

void Range::keep_within(const store::CheckBound& bound) noexcept {
    const Wide steps = bound.number * unit;
    const Wide beside = bound.is_inside ? 0 : 1;
    if (bound.is_least)
        least = std::max(least, steps + beside);
    else
        most = std::min(most, steps - beside);
}

Wide power_of_ten(int exponent) noexcept {
    return power(10, exponent);
}

std::optional<int> scale_of(const store::OwnedDatum& value) noexcept {
    const auto* text = std::get_if<std::string>(&value);
    const auto point = text != nullptr ? text->find('.') : std::string::npos;
    if (point == std::string::npos) return 0;
    const auto digits = text->size() - point - 1;
    return digits <= most_scale ? std::optional{static_cast<int>(digits)} : std::nullopt;
}

std::optional<Wide> steps_of(const store::OwnedDatum& value, int scale) noexcept {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number * power(10, scale);
    if (const auto* text = std::get_if<std::string>(&value)) return steps_in(*text, scale);
    return std::nullopt;
}

}  // namespace sluice::effects
