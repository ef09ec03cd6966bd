#include <format>
#include <memory>

#include "common/webhook/recipe/source.hpp"
#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/erase/eraser.hpp"
#include "ctl/operate/send_mode.hpp"

namespace sluice::ctl {
namespace {

struct EraseOptions {
    CommonOptions common;
    std::string object;
    std::int64_t entry = 0;
    RunOptions run;
};

EraseSettings settings_of(const EraseOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    EraseSettings settings{.mysql = config::read_mysql(document, problems),
                           .kafka = config::read_kafka(document, problems),
                           .inbox = config::read_inbox(document, problems),
                           .effects = effects::EffectSet::read(document, sources, problems)};
    refuse_if_any(problems, console);
    return settings;
}

Json rows_json(const store::ErasedRows& rows) {
    return {{"event_payload", rows.payloads},
            {"inbox", rows.inbox_rows},
            {"dead_letter", rows.dead_letters},
            {"operator_action", rows.actions},
            {"callback", rows.callbacks}};
}

std::string erased_words(const store::ErasedRows& rows, const std::vector<StillWaiting>& waiting) {
    std::string text = std::format(
        "erased: {} archived requests, {} rows with error texts or numbers, {} entries, {} reasons, {} "
        "callbacks\n",
        rows.payloads, rows.inbox_rows, rows.dead_letters, rows.actions, rows.callbacks);
    if (waiting.empty()) return text + "New events of the object are accepted as before.\n";
    return text + "Events arrived meanwhile. " + to_people(waiting) +
           "\nThen run the same command again: it resumes.\n";
}

void refuse_unless_one_is_named(const EraseOptions& options) {
    if (options.object.empty() == (options.entry == 0))
        throw Stopped{Exit::usage, "give --object KEY or --entry ID"};
}

Exit show_plan(const EraseOptions& options, const ErasePlan& plan, const std::vector<StaysLine>& stays,
               Console& console) {
    const bool may_go = plan.waiting.empty();
    print(console, options.common.chosen_form(), to_json(plan, stays),
          to_people(plan, stays) + (may_go ? "\nNothing was erased. --apply erases it.\n" : ""));
    return may_go ? Exit::ok : Exit::no;
}

Exit erase(const EraseOptions& options, Console& console) {
    refuse_unless_one_is_named(options);
    const SendMode mode = send_mode_of(options.run, console);
    if (mode != SendMode::show) refuse_unless_signed(options.run);
    const auto settings = settings_of(options, console);
    const auto connection = open_database(settings.mysql);
    Eraser eraser{settings, *connection, options.object};
    if (options.entry != 0) eraser.name_by_entry(options.entry);
    const ErasePlan plan = eraser.look();
    const auto stays = what_stays(plan, settings.effects);
    if (!plan.waiting.empty() || mode == SendMode::show) return show_plan(options, plan, stays, console);
    // One answer on stdout in the requested form; the plan on stderr is for people.
    console.err << to_people(plan, stays);
    if (mode == SendMode::ask && !says_yes("erase", *connection, console))
        throw Stopped{Exit::no, "nothing was erased"};
    const auto waiting = eraser.erase(plan, options.run);
    const auto rows = eraser.rows();
    Json json = to_json(plan, stays);
    json["erased"] = rows_json(rows);
    json["finished"] = waiting.empty();
    print(console, options.common.chosen_form(), json, erased_words(rows, waiting));
    return waiting.empty() ? Exit::ok : Exit::no;
}

}  // namespace

void add_erase(CLI::App& program, Console& console) {
    const auto options = std::make_shared<EraseOptions>();
    CLI::App& command = *program.add_subcommand(
        "erase", "Erase a person's data from sluice's tables, object by object; shows a plan first");
    add_config_option(command, options->common);
    command.add_option("--object", options->object, "The ordering key: <provider>/<principal>/<object id>")
        ->type_name("KEY");
    command
        .add_option("--entry", options->entry,
                    "The object of this entry; for a request that could not be read, the request itself")
        ->type_name("ID");
    add_who(command, options->run);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl erase --object stripe/acct_main/pi_3Q\n"
               "  sluicectl erase --object stripe/acct_main/pi_3Q --reason 'request 2026-17' --operator ada "
               "--apply\n"
               "  sluicectl erase --entry 4711 --reason 'request 2026-17' --operator ada --apply\n"
               "\nIt erases archived requests, bodies and headers of closed entries, error texts, order and\n"
               "transaction numbers, and reasons of operators.\n"
               "The plan says what stays, and why. Nothing is erased while events of the object wait. Put no "
               "personal\n"
               "data in --reason: it is kept. If it is interrupted, run the same command again.\n");
    command.callback([options, &console] { console.exit = erase(*options, console); });
}

}  // namespace sluice::ctl
