#include "ctl/operate/operate_options.hpp"

#include <format>

#include "ctl/dlq/letter_text.hpp"
#include "ctl/exit.hpp"
#include "ctl/file_content.hpp"
#include "ctl/operate/pace.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

void refuse_order(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw Stopped{Exit::usage, sentence};
}

void add_which(CLI::App& command, OperateOptions& options, store::ActionKind action) {
    auto* names = command.add_option("ID", options.names, "Entries, by their own id or by their event's");
    if (action == store::ActionKind::edit) {
        names->required()->expected(1);
        command
            .add_option("--body", options.body,
                        "The file with the new body, 512 KiB at most; - reads it from standard input")
            ->required()
            ->type_name("FILE");
        return;
    }
    add_filter_options(command, options.filter);
    command.add_flag("--everything", options.everything, "All that is open, in place of a filter")
        ->group("Which entries");
}

void add_who(CLI::App& command, OperateOptions& options) {
    command.add_option("--operator", options.operator_name, "Who asks; kept with what is done")
        ->envname("SLUICE_OPERATOR")
        ->type_name("NAME");
    command.add_option("--reason", options.reason, "Why; kept with what is done")->type_name("TEXT");
    command.add_flag("--apply", options.apply,
                     "Send it; without it a terminal is asked, and a script only shown");
}

void add_how(CLI::App& command, OperateOptions& options) {
    command.add_option("--rate", options.rate, "Commands a second (50/s) or a minute (600/m)")
        ->type_name("RATE")
        ->capture_default_str();
    add_number(command, "--stop-after", options.stop_after,
               "Stop when so many events of this run are dead again, 0: never", 0, 1e9);
    add_number(command, "--wait", options.wait, "Seconds to wait for the next answer once all is sent", 0,
               86'400);
    command.add_option("--run", options.run, "Go on with this run: nothing is carried out twice")
        ->type_name("UUID");
}

void add_unverified(CLI::App& command, OperateOptions& options) {
    command.add_flag(
        "--unverified", options.unverified,
        "Also where the signature cannot be verified again, since its key or source is configured "
        "no more; one that does not cover the body is refused all the same");
}

}  // namespace

void add_operate_options(CLI::App& command, OperateOptions& options, store::ActionKind action) {
    add_config_option(command, options.common);
    add_which(command, options, action);
    add_who(command, options);
    add_how(command, options);
    if (action == store::ActionKind::retry) add_unverified(command, options);
    add_output_options(command, options.common);
}

void refuse_unless_sound(const OperateOptions& options) {
    const bool has_filter = options.everything || !options.filter.is_empty();
    refuse_order(options.names.empty() && !has_filter,
                 "which entries? Name them, narrow them with a filter (--error-class, --source, ...), or say "
                 "--everything");
    refuse_order(!options.names.empty() && has_filter, "entries are named or filtered, not both");
    refuse_order(options.everything && !options.filter.is_empty(), "--everything takes no filter");
    refuse_order(!rate_from(options.rate), "--rate is a number a second or a minute: 50/s, 600/m");
    if (options.run.empty()) return;
    const auto run = uuid_from(options.run);
    refuse_order(!run || !highest_entry_of(*run), "--run takes the UUID that an earlier run has printed");
}

void refuse_unless_signed(const OperateOptions& options) {
    refuse_order(options.operator_name.empty(), "who asks? --operator NAME, or SLUICE_OPERATOR");
    refuse_order(options.reason.empty(), "why? --reason TEXT: it is kept with what is done");
    refuse_order(options.operator_name.size() > 128, "--operator is 128 bytes at most");
    refuse_order(options.reason.size() > 1024, "--reason is 1024 bytes at most");
}

std::optional<std::string> body_of(store::ActionKind action, const OperateOptions& options) {
    if (action != store::ActionKind::edit) return std::nullopt;
    std::string body = file_content(options.body);
    refuse_order(body.empty(), options.body + " is empty");
    refuse_order(
        body.size() > command::max_edited_body,
        std::format(
            "{} has {} bytes: a command takes a body of 524288 (512 KiB) at most. Send a larger event "
            "anew from the provider, or skip this one",
            options.body, body.size()));
    return body;
}

std::int64_t total_in(const OrderPlan& plan) {
    return total_of(plan.counts);
}

}  // namespace sluice::ctl
