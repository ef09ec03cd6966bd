#include <algorithm>
#include <memory>

#include "ctl/approve/propose.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/entry/dedup_keys.hpp"
#include "ctl/event/event_commands.hpp"
#include "ctl/event/rerun/rerun_commands.hpp"
#include "ctl/event/rerun/rerun_options.hpp"
#include "ctl/event/rerun/rerun_plan.hpp"
#include "ctl/operate/run_id.hpp"
#include "ctl/operate/send_mode.hpp"

namespace sluice::ctl {
namespace {

constexpr const char* rerun_help =
    "  sluicectl event rerun --effect credit-wallet --since 2026-11-20\n"
    "  sluicectl event rerun --status ignored --type payment_intent.succeeded\n"
    "  sluicectl event rerun --effect credit-wallet --since 7d --reason 'was forgotten' --operator ada "
    "--apply\n"
    "  sluicectl event rerun --effect credit-wallet --since 7d --reason 'was forgotten' --apply --run UUID\n"
    "  sluicectl event rerun evt_1ABC --reason 'was forgotten' --operator ada --apply\n"
    "\nAn effect that an event had is never applied to it again. Effects are known by their names: a renamed "
    "effect is a\n"
    "new one. A rerun comes after everything that was applied to the object before, and before events that "
    "arrive\n"
    "meanwhile; an effect that sets a state may set an old one. The effects are those of the retry role.\n"
    "\nWhy an event is left out:\n"
    "  had_all         no effect that you asked for matches it, or it had all of them\n"
    "  had_unknown     its inbox row does not say which effects it had\n"
    "  no_payload      its request is no longer archived (inbox.payload, inbox.keep)\n"
    "  erased          data of its object was erased (sluicectl erase)\n"
    "  edited          an operator has edited it: what was applied is not what is archived\n"
    "  skipped         an operator finished it without effects\n"
    "  unfinished      it waits in its lane: sluicectl dlq retry\n"
    "  under_way       another rerun of it waits in its lane: sluicectl lane show\n"
    "  no_such_effect  the retry role has no effect of this name\n"
    "  too_old         the days of its inbox row are about to be dropped\n"
    "  unverifiable    its key or source is no longer configured: restore it, or use --unverified\n"
    "  not_authentic   its signature does not cover what is archived\n"
    "  unreadable      what is archived is not the request of one event\n"
    "  source_unknown  the retry role has no source for its account\n"
    "  unknown_event   its inbox row no longer exists\n";

struct RerunSettings {
    RequestSettings servers;
    webhook::SourceSet sources;
    effects::EffectSet effects;
};

RerunSettings rerun_settings(const RerunOptions& options, bool may_send, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    auto sources = webhook::read_sources_without_keys(document, problems);
    auto effects = effects::EffectSet::read(document, sources, problems);
    RerunSettings settings{.servers = read_request_settings(document, options.run, may_send, problems),
                           .sources = std::move(sources),
                           .effects = std::move(effects)};
    refuse_if_any(problems, console);
    return settings;
}

/// A new run includes no event that comes after it; a resumed one goes on with those of its start.
store::ActionId resumed_or_new(const RerunOptions& options, WallTime now) {
    return options.run.run.empty() ? new_run_at(now) : uuid_from(options.run.run).value();  // checked before
}

void look_at_named(RerunPlan& plan, const RerunOptions& options, const RerunSettings& settings,
                   store::Connection& connection) {
    const auto& mysql = settings.servers.mysql;
    for (const auto& name : options.names) {
        const auto keys = dedup_keys_of(settings.sources, name);
        const auto rows = value_or_stop(store::find_on_any_day(connection, keys), mysql, connection);
        if (rows.empty())
            throw Stopped{Exit::no, "the inbox has no event " + name + " of a configured source"};
        for (const auto& row : rows) {
            const auto event = value_or_stop(store::past_event(connection, row.key), mysql, connection);
            if (event) plan.look_at(*event);
        }
    }
}

void look_at_filtered(RerunPlan& plan, const store::PastFilter& filter, const RerunSettings& settings,
                      store::Connection& connection) {
    for (std::optional<store::InboxKey> after{store::first_key}; after;) {
        const auto page =
            value_or_stop(store::past_events(connection, filter, *after), settings.servers.mysql, connection);
        for (const auto& event : page.events) plan.look_at(event);
        if (plan.is_too_large()) {
            throw Stopped{Exit::usage,
                          "these are more than " + std::to_string(RerunPlan::most_targets) +
                              " events: rerun them in parts, the older ones first (--since, --until)"};
        }
        after = page.next;
    }
}

Exit rerun(const RerunOptions& options, Console& console) {
    refuse_unless_sound(options);
    const SendMode wished = send_mode_of(options.run, console);
    const bool may_sign = wished != SendMode::show;
    if (may_sign) refuse_unless_signed(options.run);
    const auto settings = rerun_settings(options, may_sign, console);
    const auto connection = open_database(settings.servers.mysql);
    const auto run = resumed_or_new(options, console.clock.wall());
    RerunPlan plan{settings.effects, options.effect};
    if (options.names.empty()) {
        auto filter = filter_of(options, start_of(run).value());
        filter.until = std::min(filter.until.value_or(WallTime::max()), start_of(run).value());
        look_at_filtered(plan, filter, settings, *connection);
    } else {
        look_at_named(plan, options, settings, *connection);
    }
    plan.close();
    OperatorRequest request =
        signed_request(store::ActionKind::rerun, options.run, run, *connection, settings.servers);
    request.effect = options.effect;
    const SendMode mode = allowed_send_mode(wished, request, settings.servers);
    const bool goes_on = options.run.apply && !options.run.run.empty();  // also where all is sent by now
    if (!goes_on && (plan.total() == 0 || mode == SendMode::show)) {
        print(console, options.common.chosen_form(), plan.to_json(),
              plan.to_people() + (plan.total() > 0 ? what_next(request, settings.servers) : ""));
        return Exit::ok;
    }
    // One answer on stdout in the requested form; the plan on stderr is for people.
    console.err << plan.to_people();
    confirm(mode, request, plan.total(), *connection, console);
    RerunCommands commands{request, plan.targets(), console.clock};
    const Form form = options.common.chosen_form();
    if (mode == SendMode::propose)
        return propose(options.run, form, request, settings.servers, commands, plan.total(), console);
    return send_request(options.run, form, request, settings.servers, *connection, commands, plan.total(),
                        "sluicectl event rerun --help", console);
}

}  // namespace

void add_event_rerun(CLI::App& event, Console& console) {
    const auto options = std::make_shared<RerunOptions>();
    CLI::App& command = *event.add_subcommand(
        "rerun", "Apply the effects of today to finished events that did not have them; shows a plan first");
    add_rerun_options(command, *options);
    add_footer(command, rerun_help);
    command.callback([options, &console] { console.exit = rerun(*options, console); });
}

}  // namespace sluice::ctl
