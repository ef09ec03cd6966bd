#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "common/clock.hpp"

namespace sluice::connection {

/// The `Date` line of answers (RFC 9110 section 6.6.1), written once a second. One thread.
class DateLine {
public:
    /// With its line end; until the next call.
    [[nodiscard]] std::string_view at(WallTime now);

private:
    std::chrono::sys_seconds second_{};
    std::string line_;
};

}  // namespace sluice::connection
