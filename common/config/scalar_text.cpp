#include "common/config/scalar_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace sluice::config {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;
};

constexpr std::array size_units{Unit{"GiB", std::int64_t{1} << 30}, Unit{"MiB", std::int64_t{1} << 20},
                                Unit{"KiB", std::int64_t{1} << 10}};
constexpr std::array duration_units{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                                    Unit{"s", 1'000}};

std::string in_units(std::int64_t value, std::span<const Unit> units, std::string_view smallest) {
    for (const auto& unit : units) {
        if (value != 0 && value % unit.factor == 0) {
            return std::to_string(value / unit.factor) + std::string{unit.name};
        }
    }
    return std::to_string(value) + std::string{smallest};
}

}  // namespace

std::optional<std::int64_t> integer_from_text(std::string_view text) {
    const auto digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.size() > 1 && digits.starts_with('0')) return std::nullopt;
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last) return std::nullopt;
    return value;
}

std::optional<double> fraction_from_text(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool is_plain = std::ranges::all_of(text, [&](char c) { return is_digit(c) || c == '.'; });
    if (!is_plain || text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return std::nullopt;
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value, std::chars_format::fixed);
    if (error != std::errc{} || end != last) return std::nullopt;
    return value;
}

std::optional<std::int64_t> size_from_text(std::string_view text) {
    std::int64_t factor = 1;
    for (const auto& unit : size_units) {
        if (text.ends_with(unit.name)) {
            factor = unit.factor;
            text.remove_suffix(unit.name.size());
            break;
        }
    }
    const auto count = integer_from_text(text);
    if (!count || *count < 0 || *count > std::numeric_limits<std::int64_t>::max() / factor) {
        return std::nullopt;
    }
    return *count * factor;
}

std::string duration_text(Milliseconds duration) {
    return in_units(duration.count(), duration_units, "ms");
}

std::string size_text(std::int64_t bytes) {
    return in_units(bytes, size_units, "");
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 80;
    if (text.size() <= most) return "\"" + std::string{text} + "\"";
    return "\"" + std::string{text.substr(0, most)} + "…\"";
}

}  // namespace sluice::config
