#include "ctl/doctor/clock_check.hpp"

#include <cmath>
#include <format>

namespace sluice::ctl {

Finding judge_clock(const std::string& check, WallTime ours, WallTime theirs) {
    const double apart = std::abs(std::chrono::duration<double>(theirs - ours).count());
    if (apart <= 2) return {check, Level::ok, std::format("its clock and ours are {:.3f} s apart", apart)};
    return {check, apart > 60 ? Level::fail : Level::warn,
            std::format("its clock and ours are {:.0f} s apart: synchronize both by NTP", apart)};
}

}  // namespace sluice::ctl
