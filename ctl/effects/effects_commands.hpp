#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// What stands below `sluicectl effects`, as in ctl/cli/commands.hpp.
void add_effects_test(CLI::App& effects, Console& console);
void add_effects_explain(CLI::App& effects, Console& console);
void add_effects_ready(CLI::App& effects, Console& console);

}  // namespace sluice::ctl
