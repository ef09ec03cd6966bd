#pragma once

#include "common/config/section.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::config {

struct LogSettings {
    LogLevel level = LogLevel::info;
    double routine = 1;  ///< the share of events whose routine lines are written
};

/// `log: {level: debug|info|warn|error, routine: RATIO}`; info and 1 where they are absent.
[[nodiscard]] LogSettings read_log(const Document& document);

}  // namespace sluice::config
