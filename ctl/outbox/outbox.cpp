#include "ctl/cli/commands.hpp"
#include "ctl/outbox/outbox_commands.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* states =
    "\nStates of a message:\n"
    "  waiting   it is not sent yet, or is tried again; later ones with its key wait behind it\n"
    "  refused   its destination refuses it, or was tried for longer than its horizon: it waits for you\n"
    "  sent      its destination has it; deleted after outbox.keep\n"
    "  skipped   an operator had it not sent; deleted after outbox.keep\n";

}  // namespace

void add_outbox(CLI::App& program, Console& console) {
    CLI::App& outbox =
        *program.add_subcommand("outbox", "Messages that effects send, and those that were refused");
    outbox.require_subcommand(1);
    outbox.footer(states);
    add_outbox_list(outbox, console);
    add_outbox_show(outbox, console);
    add_outbox_orders(outbox, console);
}

}  // namespace sluice::ctl
