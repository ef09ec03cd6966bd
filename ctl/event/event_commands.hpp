#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl event`, as in commands.hpp: each in the file of its name.
void add_event_show(CLI::App& event, Console& console);
void add_event_rerun(CLI::App& event, Console& console);

}  // namespace sluice::ctl
