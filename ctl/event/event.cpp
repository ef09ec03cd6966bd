#include "ctl/cli/commands.hpp"
#include "ctl/event/event_commands.hpp"

namespace sluice::ctl {

void add_event(CLI::App& program, Console& console) {
    CLI::App& event = *program.add_subcommand(
        "event", "Events: what happened to one, and running effects that it did not have");
    event.require_subcommand(1);
    add_event_show(event, console);
    add_event_rerun(event, console);
}

}  // namespace sluice::ctl
