#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "common/clock.hpp"

namespace sluice::ctl {

/// "50/s", "50", "600/m": how many a second; nullopt for anything else and for what is not positive.
[[nodiscard]] std::optional<double> rate_from(std::string_view text);

/// When the next of many may go, so that no second sees more than the rate and a tenth. Pure: time is handed
/// in. What was missed while the receiver was slow is made up for a tenth of a second, not for longer.
class Pace {
public:
    Pace(double per_second, SteadyTime start);

    /// How long to wait before the next one, which then counts as gone.
    [[nodiscard]] std::chrono::nanoseconds next(SteadyTime now);

private:
    std::chrono::nanoseconds interval_;
    SteadyTime due_;
};

}  // namespace sluice::ctl
