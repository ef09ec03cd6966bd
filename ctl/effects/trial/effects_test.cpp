#include <memory>

#include "common/config/section.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/file_content.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/effects/effects_commands.hpp"
#include "ctl/effects/trial/given_event.hpp"
#include "ctl/effects/trial/stored_event.hpp"
#include "ctl/effects/trial/trial.hpp"
#include "ctl/effects/trial/trial_text.hpp"
#include "ctl/send/traffic/body_template.hpp"

namespace sluice::ctl {
namespace {

/// As a worker of the consumer waits for a lock at most.
constexpr std::chrono::seconds lock_wait{1};

constexpr const char* rolled_back =
    "\nAll of it was rolled back. AUTO_INCREMENT counters have moved on; triggers ran too, in the same "
    "transaction.\n";

struct TestOptions {
    CommonOptions common;
    GivenEvent given;
    std::string file;
    std::string sample;
    std::string id;
    bool with_body = false;
};

struct Settings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    webhook::SourceSet sources;
    effects::EffectSet effects;
};

Settings settings_of(const CommonOptions& common, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(common, problems);
    auto mysql = config::read_mysql(document, problems);
    auto kafka = config::read_kafka(document, problems);
    auto sources = webhook::read_sources_without_keys(document, problems);
    auto effects = effects::EffectSet::read(document, sources, problems);
    refuse_if_any(problems, console);
    return {std::move(mysql), std::move(kafka), std::move(sources), std::move(effects)};
}

void refuse_misuse(const TestOptions& options) {
    const int ways = int{!options.file.empty()} + int{!options.sample.empty()} + int{!options.id.empty()};
    if (ways != 1) throw Stopped{Exit::usage, "give one of --event FILE, --sample TYPE and --id EVENT"};
    if (!options.given.type.empty() && options.file.empty())
        throw Stopped{Exit::usage, "--type is for --event: it says whose headers the body comes with"};
    const bool has_more = !options.given.source.empty() || !options.given.edits.empty() ||
                          !options.given.headers.empty() || options.given.seed;
    if (!options.id.empty() && has_more)
        throw Stopped{Exit::usage,
                      "--id takes the event as it came: without --source, --set, --header, --seed"};
}

std::vector<TrialEvent> events_of(const TestOptions& options, const Settings& settings,
                                  store::Connection& connection, Console& console) {
    if (!options.id.empty())
        return stored_events(options.id, {connection, settings.mysql, settings.kafka, settings.sources});
    GivenEvent given = options.given;
    if (!options.sample.empty()) given.type = options.sample;
    if (!options.file.empty()) {
        given.body = file_content(options.file);
        given.file = options.file;
    }
    auto events = events_of(given, settings.sources, console.clock.wall());
    for (const auto& place : added_places(given, settings.sources)) console.err << warning_of_added(place);
    return events;
}

/// What the consumer looks at when it starts, of the effects that are about to run: what could not be rolled
/// back is never run.
void refuse_what_is_unsafe(const std::vector<const effects::Effect*>& effects, store::Connection& connection,
                           const config::MysqlSettings& mysql) {
    config::Problems problems;
    std::vector<effects::Lack> missing;
    for (const auto* effect : effects) {
        if (const auto looked = effect->check(connection, problems, missing); !looked)
            stop_on(mysql, connection, looked.error());
    }
    if (problems.any()) throw config::Refused{problems.report()};
    for (const auto& lack : missing) {
        if (lack.is_right)
            throw Stopped{Exit::no,
                          "this account may not do what the effect does, so it cannot be tried (see "
                          "docs/effects-test.md): " +
                              lack.sentence};
    }
}

Trial try_one(const TrialEvent& event, const consumer::Rules& rules, store::Connection& connection,
              const config::MysqlSettings& mysql, const Clock& clock) {
    const auto item = item_of(event);
    if (!item)
        throw Stopped{Exit::no,
                      "its record lacks headers that every event has: the consumer would make an "
                      "entry of kind undecodable of it"};
    refuse_what_is_unsafe(consumer::effects_for(*item, rules), connection, mysql);
    return value_or_stop(try_effects(*item, rules, connection, clock), mysql, connection);
}

Exit test_effects(const TestOptions& options, Console& console) {
    refuse_misuse(options);
    const Settings settings = settings_of(options.common, console);
    Log log{{.program = "sluicectl", .level = LogLevel::warn, .descriptor = 2}};
    store::StatementWatch watch{settings.mysql, console.clock, log};
    const auto connection = open_database(settings.mysql, {.lock_wait = lock_wait});
    connection->be_watched(watch);
    const consumer::Rules rules{.effects = settings.effects,
                                .sources = settings.sources,
                                .kafka = settings.kafka,
                                .retry_topics = {}};
    Json trials = Json::array();
    std::string people;
    bool all_are_good = true;
    for (const auto& event : events_of(options, settings, *connection, console)) {
        const Trial trial = try_one(event, rules, *connection, settings.mysql, console.clock);
        trials.push_back(to_json(event, trial));
        people += (people.empty() ? "" : "\n") + to_people(event, trial, options.with_body);
        all_are_good = all_are_good && trial.end.is_good();
    }
    print(console, options.common.chosen_form(), {{"trials", std::move(trials)}}, people + rolled_back);
    return all_are_good ? Exit::ok : Exit::no;
}

void add_test_options(CLI::App& command, TestOptions& options) {
    command.add_option("--event", options.file, "Of this body; - is standard input")->type_name("FILE");
    command.add_option("--sample", options.sample, "Of the sample that sluicectl send has of this type")
        ->type_name("TYPE");
    command
        .add_option("--id", options.id,
                    "Of an event that came, by the provider's id or an entry's, with its body as it is now")
        ->type_name("EVENT");
    command
        .add_option("--source", options.given.source, "The source that it comes through, where several could")
        ->type_name("NAME");
    command.add_option("--type", options.given.type, "With --event: the type whose sample's headers it has")
        ->type_name("T");
    command.add_option("--set", options.given.edits, edits_help)
        ->allow_extra_args(false)
        ->type_name("/POINTER=VALUE");
    command.add_option("--header", options.given.headers, "Add or replace a header; can be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
    command.add_option("--seed", options.given.seed, "The same seed gives the same sample")->type_name("N");
    command.add_flag("--body", options.with_body, "Print the body too, masked");
}

}  // namespace

void add_effects_test(CLI::App& effects, Console& console) {
    const auto options = std::make_shared<TestOptions>();
    CLI::App& command = *effects.add_subcommand(
        "test",
        "Run the effects for an event in a transaction that is always rolled back, and say what happens");
    add_config_option(command, options->common);
    add_test_options(command, *options);
    add_output_options(command, options->common);
    add_footer(
        command,
        "  sluicectl effects test --sample payment_intent.succeeded --set /data/object/amount=500\n"
        "  sluicectl effects test --sample trade_status_sync.TRADE_SUCCESS --set /out_trade_no=O-17\n"
        "  sluicectl effects test --sample invoice.paid --set '/data/object/number=\"1001\"'\n"
        "  sluicectl effects test --event body.json --source stripe-eu --json\n"
        "  sluicectl effects test --id evt_1ABC --body\n"
        "\nIt never commits, and waits a second for a lock at most. Its account needs the rights of your\n"
        "effects (docs/effects-test.md). A sample's or a file's signature is not verified.\n"
        "\nExit status: 0 the event would be applied or ignored; 1 it would not.\n");
    command.callback([options, &console] { console.exit = test_effects(*options, console); });
}

}  // namespace sluice::ctl
