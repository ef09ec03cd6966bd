#pragma once

#include "common/config/section.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::config {

/// `log: {level: debug|info|warn|error}`, info where it is absent.
[[nodiscard]] LogLevel read_log_level(const Document& document);

}  // namespace sluice::config
