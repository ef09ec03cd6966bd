#pragma once

#include "ctl/cli/console.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

/// `sluicectl migrate --effects`: the plan; with `apply` its statements are run, and what is missing then is
/// shown. `no` where a table is there that cannot be the mirror's.
[[nodiscard]] Exit migrate_effects(const CommonOptions& options, bool apply, Console& console);

}  // namespace sluice::ctl
