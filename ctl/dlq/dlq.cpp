#include "ctl/cli/commands.hpp"
#include "ctl/dlq/dlq_commands.hpp"

namespace sluice::ctl {

namespace {

constexpr const char* refusals =
    "\nWhy the retry role refuses an order (sluicectl dlq show ID has it):\n"
    "  finished       nothing is left to do: it was applied, skipped or closed meanwhile\n"
    "  parked         it was never tried: it waits for an earlier event of its object; act on that one\n"
    "  holds_a_lane   it cannot be closed: retry, skip or edit it\n"
    "  unverifiable   its key or source is configured no more: put it back, or look at the body and say "
    "--unverified\n"
    "  conflict       an event of its id was taken in with another content: compare both, and close it; "
    "--unverified\n                 applies this one too\n"
    "  not_authentic  its signature does not cover its bytes: not the provider's; skip or close it\n"
    "  unreadable     it has not what every event has: nothing can be run; close it\n"
    "  body_differs   an edit arrived with another body than was sent: send it again\n"
    "  one_operator   it takes two operators (operators.two_for): --propose FILE, and dlq approve\n"
    "  lapsed         it was proposed more than 24 hours ago, or by a clock that is ahead: propose it anew\n"
    "  overtaken      the entry was closed since two operators looked at it: look at what is open now\n";

}  // namespace

void add_dlq(CLI::App& program, Console& console) {
    CLI::App& dlq = *program.add_subcommand(
        "dlq",
        "Events that were given up and records that could not be used: entries that wait for a person");
    dlq.require_subcommand(1);
    dlq.footer(refusals);
    add_dlq_list(dlq, console);
    add_dlq_show(dlq, console);
    add_dlq_orders(dlq, console);
    add_dlq_approve(dlq, console);
}

}  // namespace sluice::ctl
