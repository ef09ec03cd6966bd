#include "ctl/operate/operate_options.hpp"

#include <format>

#include "ctl/cli/exit.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

void refuse_order(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw Stopped{Exit::usage, sentence};
}

void add_which(CLI::App& command, OperateOptions& options, store::ActionKind action) {
    auto* names = command.add_option("ID", options.names, "Entries, by entry id or event id");
    if (action == store::ActionKind::edit) {
        names->required()->expected(1);
        command
            .add_option("--body", options.body,
                        "The file with the new body, at most 512 KiB; - reads it from standard input")
            ->required()
            ->type_name("FILE");
        return;
    }
    add_filter_options(command, options.filter);
    command.add_flag("--everything", options.everything, "All open entries, instead of a filter")
        ->group("Which entries");
    if (action == store::ActionKind::close) return;
    command
        .add_flag("--with-behind", options.with_behind,
                  "Also entries that open behind these while this runs, of the same objects, kinds and "
                  "classes; with a filter, those that it selects")
        ->group("Which entries");
}

void add_resolved(CLI::App& command, OperateOptions& options) {
    command
        .add_option("--resolved", options.resolved,
                    "What was done about it, in one word of a-z, 0-9 and _ (refunded); it is kept before the "
                    "reason, and is reason enough")
        ->type_name("WORD");
}

void add_ending(CLI::App& command, OperateOptions& options, store::ActionKind action) {
    if (action == store::ActionKind::retry) add_unverified(command, options.run);
    if (action == store::ActionKind::skip || action == store::ActionKind::close)
        add_resolved(command, options);
}

bool is_word(std::string_view text) {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return text.size() <= 32 && text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

void add_operate_options(CLI::App& command, OperateOptions& options, store::ActionKind action) {
    add_config_option(command, options.common);
    add_which(command, options, action);
    add_who(command, options.run);
    add_how(command, options.run);
    add_ending(command, options, action);
    add_output_options(command, options.common);
}

void refuse_unless_sound(const OperateOptions& options) {
    const bool has_filter = options.everything || !options.filter.is_empty();
    refuse_order(options.names.empty() && !has_filter,
                 "name entries, filter them (--error-class, --source, ...), or give --everything");
    refuse_order(!options.names.empty() && has_filter, "give ids of entries or filters, not both");
    refuse_order(options.everything && !options.filter.is_empty(), "--everything does not go with a filter");
    refuse_order(options.with_behind && !options.run.propose.empty(),
                 "--with-behind does not go with --propose: nobody has looked at what comes up later");
    refuse_order(options.with_behind && !options.run.run.empty(),
                 "--with-behind does not go with --run: give the same command without --run, which begins "
                 "with what is open now");
    refuse_order(!options.resolved.empty() && !is_word(options.resolved),
                 "--resolved must be one word of a-z, 0-9 and _, such as refunded; the rest is --reason");
    refuse_unless_paced(options.run);
    if (options.run.run.empty()) return;
    const auto run = uuid_from(options.run.run);
    refuse_order(!run || !highest_entry_of(*run), "--run must be the UUID that an earlier run printed");
}

std::optional<std::string> body_of(store::ActionKind action, const OperateOptions& options) {
    if (action != store::ActionKind::edit) return std::nullopt;
    std::string body = file_content(options.body);
    refuse_order(body.empty(), options.body + " is empty");
    refuse_order(body.size() > command::max_edited_body,
                 std::format("{} has {} bytes, but a command can carry at most 524288 (512 KiB). Let the "
                             "provider send a larger event again, or skip this one",
                             options.body, body.size()));
    return body;
}

std::string reason_of(const OperateOptions& options) {
    if (options.resolved.empty()) return options.run.reason;
    return "resolved: " + options.resolved + (options.run.reason.empty() ? "" : "; " + options.run.reason);
}

std::int64_t total_in(const EntryPlan& plan) {
    return total_of(plan.counts);
}

}  // namespace sluice::ctl
