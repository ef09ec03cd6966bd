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

void add_operator_and_reason(CLI::App& command, RunOptions& options) {
    command.add_option("--operator", options.operator_name, "Who asks; kept with what is done")
        ->envname("SLUICE_OPERATOR")
        ->type_name("NAME");
    command.add_option("--reason", options.reason, "Why; kept with what is done")->type_name("TEXT");
}

void add_who(CLI::App& command, RunOptions& options) {
    add_operator_and_reason(command, options);
    command.add_flag(
        "--apply", options.apply,
        "Do it; without it the plan is shown, and a terminal is asked if operator and reason are given");
}

void add_pace(CLI::App& command, RunOptions& options) {
    command.add_option("--rate", options.rate, "Commands a second (50/s) or a minute (600/m)")
        ->type_name("RATE")
        ->capture_default_str();
    add_number(command, "--stop-after", options.stop_after,
               "Stop when so many events of this run are dead again, 0: never", 0, 1e9);
    add_number(command, "--wait", options.wait, "Seconds to wait for the next answer once all is sent", 0,
               86'400);
}

void add_how(CLI::App& command, RunOptions& options) {
    add_pace(command, options);
    command.add_option("--run", options.run, "Go on with this run: nothing is carried out twice")
        ->type_name("UUID");
    command
        .add_option("--propose", options.propose,
                    "In place of --apply: write it, signed, for `sluicectl dlq approve` by a second operator "
                    "(operators.two_for): a new file that only you read; - is standard output")
        ->type_name("FILE");
}

void add_unverified(CLI::App& command, RunOptions& options) {
    command.add_flag(
        "--unverified", options.unverified,
        "Also where the signature cannot be verified again, since its key or source is configured "
        "no more; one that does not cover the body is refused all the same. Of a conflict: beside the event "
        "that "
        "has its id");
}

void refuse_unless_paced(const RunOptions& options) {
    refuse_run(!rate_from(options.rate), "--rate is a number a second or a minute: 50/s, 600/m");
    refuse_run(options.apply && !options.propose.empty(),
               "--apply sends and --propose leaves that to a second operator: say one of them");
    refuse_run(!options.run.empty() && !options.propose.empty(),
               "--run goes on with what was sent, and a proposal is a run of its own: say one of them");
}

void refuse_unless_signed(const RunOptions& options) {
    refuse_run(options.operator_name.empty(), "who asks? --operator NAME, or SLUICE_OPERATOR");
    refuse_run(options.reason.empty(), "why? --reason TEXT: it is kept with what is done");
    refuse_run(options.operator_name.size() > 128, "--operator is 128 bytes at most");
    refuse_run(options.reason.size() > 1024, "--reason is 1024 bytes at most");
}

}  // namespace sluice::ctl
