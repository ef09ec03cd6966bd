#include "ctl/operate/run_options.hpp"

#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/operate/pace.hpp"

namespace sluice::ctl {
namespace {

void refuse_run(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw Stopped{Exit::usage, sentence};
}

}  // namespace

void add_who(CLI::App& command, RunOptions& options) {
    add_operator_and_reason(command, options);
    command.add_flag("--apply", options.apply,
                     "Do it; without it, show the plan, and on a terminal ask for confirmation if operator "
                     "and reason are given");
}

void add_pace(CLI::App& command, RunOptions& options) {
    command.add_option("--rate", options.rate, "Commands per second (50/s) or per minute (600/m)")
        ->type_name("RATE")
        ->capture_default_str();
    add_number(command, "--stop-after", options.stop_after,
               "Stop when this many events of the run are dead again; 0: never", 0, 1e9);
    add_number(command, "--wait", options.wait,
               "Seconds to wait for the next answer after everything is sent", 0, 86'400);
}

void add_how(CLI::App& command, RunOptions& options) {
    add_pace(command, options);
    command.add_option("--run", options.run, "Resume this run; nothing is carried out twice")
        ->type_name("UUID");
    command
        .add_option("--propose", options.propose,
                    "Instead of --apply: write a signed proposal for `sluicectl dlq approve` by a second "
                    "operator (operators.two_for) to a new file that only you can read; - is standard output")
        ->type_name("FILE");
}

void add_unverified(CLI::App& command, RunOptions& options) {
    command.add_flag("--unverified", options.unverified,
                     "Accept events whose signature cannot be verified because the key or source is no "
                     "longer configured. A signature that does not cover the body is still refused. A "
                     "conflict is applied in addition to the event that has its id");
}

void refuse_unless_paced(const RunOptions& options) {
    refuse_run(!rate_from(options.rate), "--rate must be a number per second or per minute: 50/s, 600/m");
    refuse_run(options.apply && !options.propose.empty(),
               "--apply sends, and --propose leaves that to a second operator: give only one of them");
    refuse_run(!options.run.empty() && !options.propose.empty(),
               "--run resumes a run, and --propose starts a new one: give only one of them");
}

}  // namespace sluice::ctl
