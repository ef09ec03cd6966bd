#include "common/stop_signal.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::minutes look_again{60};

Exit idle(Console& console) {
    StopSignal signal;
    console.err << "idle: waits for SIGTERM or SIGINT\n" << std::flush;
    while (signal.wait(look_again) != StopSignal::Event::stop) {
    }
    return Exit::ok;
}

}  // namespace

void add_idle(CLI::App& program, Console& console) {
    CLI::App& command = *program.add_subcommand("idle",
                                                "Do nothing until SIGTERM or SIGINT: keeps a pod alive, so "
                                                "that people can run the other commands in it");
    add_footer(command,
               "  kubectl exec deploy/sluice-ctl -- sluicectl dlq list\n"
               "\nIt reads no configuration and opens no connection.\n");
    command.callback([&console] { console.exit = idle(console); });
}

}  // namespace sluice::ctl
