#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl outbox`, as in commands.hpp: each in the file of its name.
void add_outbox_list(CLI::App& outbox, Console& console);
void add_outbox_show(CLI::App& outbox, Console& console);
/// retry and skip, in outbox_operate.cpp
void add_outbox_orders(CLI::App& outbox, Console& console);

}  // namespace sluice::ctl
