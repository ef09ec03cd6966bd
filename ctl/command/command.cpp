#include <cstdlib>

#include "ctl/cli/commands.hpp"
#include "ctl/command/command_commands.hpp"

namespace sluice::ctl {

const char* variable_of_their_file() {
    constexpr const char* of_commands = "SLUICE_COMMANDS_CONFIG";
    const char* named = std::getenv(of_commands);
    return named == nullptr || *named == '\0' ? "SLUICE_CONFIG" : of_commands;
}

void add_command(CLI::App& program, Console& console) {
    CLI::App& command =
        *program.add_subcommand("command", "What became of the commands that sluice-command executes");
    command.require_subcommand(1);
    add_command_list(command, console);
    add_command_show(command, console);
    add_command_settle(command, console);
}

}  // namespace sluice::ctl
