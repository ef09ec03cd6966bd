#include "ctl/event/rerun/rerun_options.hpp"

#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/filter_options.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

void refuse_rerun(bool is_wrong, const std::string& sentence) {
    if (is_wrong) throw Stopped{Exit::usage, sentence};
}

std::optional<store::InboxStatus> status_named(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto status = store::inbox_status_from(text);
    refuse_rerun(
        status != store::InboxStatus::done && status != store::InboxStatus::ignored,
        "--status must be done or ignored: an event with another status is not finished, or was skipped");
    return status;
}

bool is_narrowed(const RerunOptions& options) {
    return !(options.effect.empty() && options.status.empty() && options.source.empty() &&
             options.type.empty() && options.object.empty() && options.since.empty() &&
             options.until.empty());
}

}  // namespace

void add_rerun_options(CLI::App& command, RerunOptions& options) {
    add_config_option(command, options.common);
    const auto add = [&](const char* name, std::string& target, const char* text, const char* type) {
        command.add_option(name, target, text)->type_name(type)->group("Which events");
    };
    command.add_option("ID", options.names, "Events, by the provider's id");
    add("--effect", options.effect, "Only this effect; without it, all effects of the configuration", "NAME");
    add("--status", options.status, "done or ignored; without it, both", "STATUS");
    add("--source", options.source, "Of this source", "NAME");
    add("--type", options.type, "Of this type of event", "TYPE");
    add("--object", options.object, "Of this object, by its ordering key", "KEY");
    add("--since", options.since, "Received since: a time, a day, or how long ago (2h)", "TIME");
    add("--until", options.until, "Received earlier", "TIME");
    command.add_flag("--everything", options.everything, "All events of the inbox, instead of a filter")
        ->group("Which events");
    add_who(command, options.run);
    add_how(command, options.run);
    add_unverified(command, options.run);
    add_output_options(command, options.common);
}

void refuse_unless_sound(const RerunOptions& options) {
    const bool is_named = !options.names.empty();
    auto narrowed = options;
    narrowed.effect.clear();  // it may stand beside names
    refuse_rerun(!is_named && !options.everything && !is_narrowed(options),
                 "name events, filter them (--effect, --status, --since, ...), or give --everything");
    refuse_rerun(is_named && (options.everything || is_narrowed(narrowed)),
                 "give event ids or filters, not both");
    refuse_unless_paced(options.run);
    static_cast<void>(status_named(options.status));
    if (options.run.run.empty()) return;
    const auto run = uuid_from(options.run.run);
    refuse_rerun(!run || !start_of(*run), "--run must be the UUID that an earlier rerun printed");
}

store::PastFilter filter_of(const RerunOptions& options, WallTime now) {
    return {.status = status_named(options.status),
            .source = unless_empty(options.source),
            .type = unless_empty(options.type),
            .object_key = unless_empty(options.object),
            .since = time_named("--since", options.since, now),
            .until = time_named("--until", options.until, now)};
}

}  // namespace sluice::ctl
