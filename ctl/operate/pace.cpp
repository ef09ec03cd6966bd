#include "ctl/operate/pace.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::ctl {
namespace {

constexpr std::chrono::milliseconds made_up_for{100};

}  // namespace

std::optional<double> rate_from(std::string_view text) {
    double count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit{end, text.data() + text.size()};
    const bool is_known = unit.empty() || unit == "/s" || unit == "/m";
    if (error != std::errc{} || !is_known || !std::isfinite(count) || count <= 0) return std::nullopt;
    return unit == "/m" ? count / 60 : count;
}

Pace::Pace(double per_second, SteadyTime start)
    : interval_{static_cast<std::int64_t>(1e9 / std::clamp(per_second, 1e-3, 1e9))}, due_{start} {}

std::chrono::nanoseconds Pace::next(SteadyTime now) {
    due_ = std::max(due_, now - made_up_for);
    const auto wait = std::max(std::chrono::nanoseconds{0}, std::chrono::nanoseconds{due_ - now});
    due_ += interval_;
    return wait;
}

}  // namespace sluice::ctl
