#include "ctl/commands.hpp"
#include "ctl/dlq_commands.hpp"

namespace sluice::ctl {

void add_dlq(CLI::App& program, Console& console) {
    CLI::App& dlq = *program.add_subcommand(
        "dlq",
        "Events that were given up and records that could not be used: entries that wait for a person");
    dlq.require_subcommand(1);
    add_dlq_list(dlq, console);
    add_dlq_show(dlq, console);
    add_dlq_orders(dlq, console);
}

}  // namespace sluice::ctl
