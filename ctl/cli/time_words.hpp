#pragma once

#include <chrono>
#include <string>

#include "common/clock.hpp"

namespace sluice::ctl {

/// Times in tables, UTC: 2026-11-22 12:04:09
[[nodiscard]] std::string short_time(WallTime time);

/// The two largest units: "45s", "12m 3s", "3h 20m", "5d 2h"; "0s" for what lies ahead.
[[nodiscard]] std::string age_text(std::chrono::microseconds age);

}  // namespace sluice::ctl
