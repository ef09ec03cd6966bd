#pragma once

#include "ctl/cli/console.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

/// `sluicectl migrate --effects`: the plan; with `apply` it is done, and the effects are then checked as a
/// consumer that starts checks them.
[[nodiscard]] Exit migrate_effects(const CommonOptions& options, bool apply, Console& console);

}  // namespace sluice::ctl
