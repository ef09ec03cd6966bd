#include "ctl/cli/commands.hpp"
#include "ctl/dlq/dlq_commands.hpp"

namespace sluice::ctl {

namespace {

constexpr const char* refusals =
    "\nWhy the retry role refuses a command (as sluicectl dlq show ID says):\n"
    "  finished       there is nothing left to do: it was applied, skipped or closed meanwhile\n"
    "  parked         it has not been tried: it waits for an earlier event of its object; act on that one\n"
    "  holds_a_lane   it cannot be closed: retry, skip or edit it\n"
    "  unverifiable   its key or source is no longer configured: restore it, or check the body and use "
    "--unverified\n"
    "  conflict       an event with its id was accepted with another content: compare both, and close it; "
    "--unverified\n"
    "                 applies this one too\n"
    "  not_authentic  its signature does not cover its bytes, so it is not from the provider: skip or close "
    "it\n"
    "  unreadable     it lacks what every event has, so it cannot be run: close it\n"
    "  body_differs   the body of the edit is not the one that was sent: send it again\n"
    "  one_operator   it needs two operators (operators.two_for): use --propose FILE and dlq approve\n"
    "  lapsed         it was proposed more than 24 hours ago, or by a clock that is ahead: propose it again\n"
    "  overtaken      the entry was closed after the two operators looked at it: check what is open now\n";

}  // namespace

void add_dlq(CLI::App& program, Console& console) {
    CLI::App& dlq = *program.add_subcommand("dlq", "Dead letters: entries that wait for an operator");
    dlq.require_subcommand(1);
    dlq.footer(refusals);
    add_dlq_list(dlq, console);
    add_dlq_show(dlq, console);
    add_dlq_orders(dlq, console);
    add_dlq_approve(dlq, console);
}

}  // namespace sluice::ctl
