#include <algorithm>
#include <memory>

#include "common/stop_signal.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/kept_headers.hpp"
#include "consumer/store/inbox/payload.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/body_opener.hpp"
#include "ctl/entry/dedup_keys.hpp"
#include "ctl/entry/number_options.hpp"
#include "ctl/entry/read_trouble.hpp"
#include "ctl/event/event_commands.hpp"
#include "ctl/event/show/applied.hpp"
#include "ctl/event/show/event_life.hpp"
#include "ctl/event/show/payment_events.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds patience_with_kafka{5};
constexpr Milliseconds between_looks{500};

struct EventOptions {
    CommonOptions common;
    std::string id;
    NumberOptions numbers;
    std::int64_t limit = 50;
    bool skip_kafka = false;
    bool with_body = false;
    bool must_be_applied = false;
    int wait_seconds = 0;
};

struct Settings {
    BodyOpener opener;
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    webhook::SourceSet sources;
};

Settings settings_of(const EventOptions& options, Console& console) {
    config::Problems problems;
    const config::Document document = open_config(options.common, problems);
    Settings settings{.opener = BodyOpener{document},
                      .mysql = config::read_mysql(document, problems),
                      .kafka = {},
                      .sources = webhook::read_sources_without_keys(document, problems)};
    if (!options.skip_kafka) settings.kafka = config::read_kafka(document, problems);
    refuse_if_any(problems, console);
    return settings;
}

EventLife life_of(store::InboxRow row, const EventOptions& options, const Settings& settings,
                  store::Connection& connection) {
    EventLife life{.row = std::move(row), .payload_bytes = {}, .record = {}, .no_record_because = {}};
    life.trouble = trouble_of_event(connection, settings.mysql, life.row);
    life.messages = value_or_stop(store::messages_of(connection, life.row.key), settings.mysql, connection);
    life.callbacks =
        value_or_stop(store::list_callbacks(connection, {.events = std::vector{life.row.key.dedup_key}}),
                      settings.mysql, connection);
    auto payload = store::find_payload(connection, life.row.key);
    if (!payload) stop_on(settings.mysql, connection, payload.error());
    if (*payload) {
        life.payload_bytes = (*payload)->body.size();
        if (auto headers = effects::kept_headers((*payload)->headers))
            life.archived_headers = std::move(*headers);
        if (options.with_body) {
            auto opened = settings.opener.open((*payload)->body, life.row.source, life.row.object_key);
            life.body = opened.body ? std::move(opened.body) : std::move((*payload)->body);
            life.sealed_because = std::move(opened.sealed_because);
        }
    } else if (life.row.finished_at) {
        life.erased =
            value_or_stop(store::erased_since(connection, life.row.object_key, *life.row.finished_at),
                          settings.mysql, connection);
    }
    if (options.skip_kafka) {
        life.no_record_because = "--no-kafka";
        return life;
    }
    auto record = fetch_record(settings.kafka, life.row.topic, life.row.partition, life.row.offset,
                               patience_with_kafka);
    if (record) {
        life.record = std::move(*record);
    } else {
        life.no_record_because = record.error();
    }
    return life;
}

std::vector<store::InboxRow> look_up(const EventOptions& options, const Settings& settings,
                                     store::Connection& connection) {
    auto rows = store::find_on_any_day(connection, dedup_keys_of(settings.sources, options.id));
    if (!rows) stop_on(settings.mysql, connection, rows.error());
    return std::move(*rows);
}

/// Again and again for --wait, as long as the event may still come. A signal ends it: the first process of a
/// container gets none unless it asks for them.
std::vector<store::InboxRow> wait_for(const EventOptions& options, const Settings& settings,
                                      store::Connection& connection, const Clock& clock) {
    StopSignal signal;
    const SteadyTime end = clock.steady() + std::chrono::seconds{options.wait_seconds};
    auto rows = look_up(options, settings, connection);
    while (applied_verdict(options.id, rows).kind == AppliedVerdict::Kind::open && clock.steady() < end) {
        if (signal.wait(between_looks) == StopSignal::Event::stop) break;
        rows = look_up(options, settings, connection);
    }
    return rows;
}

std::string nothing_known_of(const std::string& id) {
    return "The inbox has no event " + id +
           " of a configured source: it was never accepted, the consumer has not reached it yet, or it was "
           "deleted after inbox.keep.\n";
}

/// The events of a payment, from the inbox alone.
Exit show_payment(const EventOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto rows =
        value_or_stop(store::events_of_payment(*connection, asked_by(options.numbers), options.limit),
                      settings, *connection);
    std::string people = payment_events_text(rows);
    if (rows.empty())
        people = "The inbox has no event of " + asked_text(options.numbers) +
                 ": none was accepted, an older release took it in, it is no event of a payment, or it was "
                 "deleted after inbox.keep or erased.\n";
    if (std::ssize(rows) == options.limit)
        people += "\nThe newest " + std::to_string(options.limit) + ". More: --limit\n";
    Json json = Json::object();
    add_numbers(json, options.numbers.reference, options.numbers.transaction);
    json["events"] = payment_events_json(rows);
    print(console, options.common.chosen_form(), json, people);
    return rows.empty() ? Exit::no : Exit::ok;
}

Exit show(const EventOptions& options, Console& console) {
    refuse_unless_one(options.id, "the id of an event", options.numbers);
    if (options.numbers.any()) return show_payment(options, console);
    const Settings settings = settings_of(options, console);
    const auto connection = open_database(settings.mysql);
    const auto rows = options.wait_seconds > 0 ? wait_for(options, settings, *connection, console.clock)
                                               : look_up(options, settings, *connection);
    Json events = Json::array();
    std::string people;
    for (const auto& row : rows) {
        const EventLife life = life_of(row, options, settings, *connection);
        events.push_back(to_json(life));
        people += (people.empty() ? "" : "\n") + to_people(life, console.clock.wall());
    }
    if (events.empty()) people = nothing_known_of(options.id);
    print(console, options.common.chosen_form(), {{"id", options.id}, {"events", std::move(events)}}, people);
    const auto verdict = applied_verdict(options.id, rows);
    if (options.must_be_applied && verdict.kind != AppliedVerdict::Kind::applied)
        throw Stopped{Exit::no, verdict.sentence};
    return rows.empty() ? Exit::no : Exit::ok;
}

}  // namespace

void add_event_show(CLI::App& event, Console& console) {
    const auto options = std::make_shared<EventOptions>();
    CLI::App& command = *event.add_subcommand(
        "show",
        "One event from request to commit: status, place in Kafka, time of each step, every known attempt; "
        "or all events of a payment, the newest last");
    add_config_option(command, options->common);
    command.add_option("ID", options->id, "The provider's id of the event");
    add_number_options(command, options->numbers);
    add_number(command, "--limit", options->limit, "Events of a payment, the newest ones", 1, 1000);
    command.add_flag("--no-kafka", options->skip_kafka,
                     "Do not read the record from Kafka; its times are left out");
    command.add_flag("--body", options->with_body,
                     "Also the archived body, masked and with its encrypted part opened");
    CLI::Option* applied =
        command.add_flag("--applied", options->must_be_applied,
                         "Exit 0 only if its effects are applied; otherwise 1 and a sentence on stderr: it "
                         "is missing, waits, is dead or was finished without them");
    for (const char* number : {"--reference", "--transaction"}) applied->excludes(command.get_option(number));
    add_number(command, "--wait", options->wait_seconds,
               "With --applied: seconds to wait for an event that is missing or waits", 0, 3600)
        ->needs(applied);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl event show evt_1ABC --config sluice.yaml\n"
               "  sluicectl event show evt_1ABC --json\n"
               "  sluicectl event show evt_1ABC --body\n"
               "  sluicectl event show --reference O-17\n"
               "  sluicectl event show --transaction 4200002026112700001 --json\n"
               "  sluicectl event show evt_1ABC --applied --wait 30\n");
    command.callback([options, &console] { console.exit = show(*options, console); });
}

}  // namespace sluice::ctl
