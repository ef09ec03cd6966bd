#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl dlq`, as in commands.hpp: each in the file of its name.
void add_dlq_list(CLI::App& dlq, Console& console);
void add_dlq_show(CLI::App& dlq, Console& console);
/// retry, skip, edit and close, in dlq_operate.cpp
void add_dlq_orders(CLI::App& dlq, Console& console);
void add_dlq_approve(CLI::App& dlq, Console& console);

}  // namespace sluice::ctl
