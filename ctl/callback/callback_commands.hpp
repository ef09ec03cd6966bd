#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// As commands.hpp says, for the parts of `sluicectl callback`.
void add_callback_list(CLI::App& callback, Console& console);
void add_callback_show(CLI::App& callback, Console& console);

}  // namespace sluice::ctl
