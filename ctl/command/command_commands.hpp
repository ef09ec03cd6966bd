#pragma once

#include <CLI/CLI.hpp>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl command`, as in commands.hpp: each in the file of its name.
void add_command_list(CLI::App& command, Console& console);
void add_command_show(CLI::App& command, Console& console);
void add_command_settle(CLI::App& command, Console& console);

/// The variable of the environment with their file: SLUICE_COMMANDS_CONFIG where it is set, since keys of
/// commands may be on other servers and under another account than all else; else SLUICE_CONFIG.
[[nodiscard]] const char* variable_of_their_file();

}  // namespace sluice::ctl
