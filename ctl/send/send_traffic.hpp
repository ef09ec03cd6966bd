#pragma once

#include "ctl/cli/console.hpp"
#include "ctl/send/send_options.hpp"
#include "ctl/send/traffic/run_traffic.hpp"

namespace sluice::ctl {

/// What `sluicectl send` is about to send, decided in full. Throws Stopped(usage) for options that do not fit
/// the source, config::Refused for a configuration that cannot be read.
[[nodiscard]] Traffic traffic_of(const SendOptions& options, Console& console);

}  // namespace sluice::ctl
