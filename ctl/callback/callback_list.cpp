#include <algorithm>
#include <memory>

#include "common/webhook/recipe/source.hpp"
#include "consumer/store/inbox/of_payment.hpp"
#include "ctl/callback/callback_commands.hpp"
#include "ctl/callback/callback_text.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/dedup_keys.hpp"
#include "ctl/entry/filter_options.hpp"
#include "ctl/entry/number_options.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t most_events_of_an_order = 200;

struct CallbackListOptions {
    CommonOptions common;
    NumberOptions numbers;
    std::string event;
    std::string object;
    std::string client;
    std::string source;
    std::string verdict;
    std::string since;
    std::string until;
    std::int64_t limit = 50;
};

struct CallbackPlaces {
    config::MysqlSettings mysql;
    webhook::SourceSet sources;
};

CallbackPlaces places_in(const CallbackListOptions& options, Console& console) {
    config::Problems problems;
    const auto document = open_config(options.common, problems);
    CallbackPlaces places{.mysql = config::read_mysql(document, problems), .sources = {}};
    if (!options.event.empty()) places.sources = webhook::read_sources_without_keys(document, problems);
    refuse_if_any(problems, console);
    return places;
}

/// Those of the event, or of the order.
std::optional<std::vector<crypto::Digest>> events_asked_for(const CallbackListOptions& options,
                                                            const CallbackPlaces& places,
                                                            store::Connection& connection) {
    if (!options.event.empty()) return dedup_keys_of(places.sources, options.event);
    if (!options.numbers.any()) return std::nullopt;
    const auto rows = value_or_stop(
        store::events_of_payment(connection, asked_by(options.numbers), most_events_of_an_order),
        places.mysql, connection);
    std::vector<crypto::Digest> events;
    std::ranges::transform(rows, std::back_inserter(events),
                           [](const auto& row) { return row.key.dedup_key; });
    return events;
}

/// No index says which callbacks have a verdict or are of a source: then a day is looked through.
bool looks_through_a_day(const CallbackListOptions& options) {
    const bool is_narrow = !options.event.empty() || options.numbers.any() || !options.object.empty() ||
                           !options.client.empty() || !options.since.empty();
    return !is_narrow && (!options.verdict.empty() || !options.source.empty());
}

Exit list(const CallbackListOptions& options, Console& console) {
    const CallbackPlaces places = places_in(options, console);
    const WallTime now = console.clock.wall();
    store::CallbackFilter filter{.object_key = unless_empty(options.object),
                                 .client = unless_empty(options.client),
                                 .source = unless_empty(options.source),
                                 .verdict = unless_empty(options.verdict),
                                 .since = time_named("--since", options.since, now),
                                 .until = time_named("--until", options.until, now),
                                 .limit = options.limit};
    if (looks_through_a_day(options)) filter.since = filter.until.value_or(now) - std::chrono::hours{24};
    const auto connection = open_database(places.mysql);
    filter.events = events_asked_for(options, places, *connection);
    const auto callbacks =
        value_or_stop(store::list_callbacks(*connection, filter), places.mysql, *connection);
    Json rows = Json::array();
    for (const auto& callback : callbacks) rows.push_back(callback_json(callback));
    std::string people =
        callbacks.empty() ? "No callbacks are recorded of this.\n" : callbacks_table(callbacks);
    if (std::ssize(callbacks) == options.limit)
        people += "\nThe newest " + std::to_string(options.limit) +
                  ". More: --limit, or --until with an earlier time\n";
    if (looks_through_a_day(options)) people += "\nOf one day. More: --since\n";
    print(console, options.common.chosen_form(), {{"callbacks", std::move(rows)}}, people);
    return callbacks.empty() ? Exit::no : Exit::ok;
}

void add_filters(CLI::App& command, CallbackListOptions& options) {
    const auto add = [&](const char* name, std::string& target, const char* text, const char* type) {
        return command.add_option(name, target, text)->type_name(type)->group("Which callbacks");
    };
    add_number_options(command, options.numbers, "Which callbacks");
    CLI::Option* const event =
        add("--event", options.event, "Of the event with this id of the provider", "ID");
    for (const char* number : {"--reference", "--transaction"}) event->excludes(command.get_option(number));
    add("--object", options.object, "Of the object with this key, as sluicectl event show has it", "KEY");
    add("--client", options.client, "From this address", "ADDRESS");
    add("--source", options.source, "To this source", "NAME");
    add("--verdict", options.verdict, "With this verdict: sluicectl callback --help lists them", "VERDICT");
    add("--since", options.since, "Received since: a time, a day, or how long ago (2h)", "TIME");
    add("--until", options.until, "Received before: a time, a day, or how long ago (2h)", "TIME");
}

}  // namespace

void add_callback_list(CLI::App& callback, Console& console) {
    const auto options = std::make_shared<CallbackListOptions>();
    CLI::App& command = *callback.add_subcommand(
        "list", "Callbacks that are recorded, the newest last, and what became of their events");
    add_config_option(command, options->common);
    add_filters(command, *options);
    add_number(command, "--limit", options->limit, "The newest so many", 1, 1000);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl callback list\n"
               "  sluicectl callback list --reference O-17          # the story of one order\n"
               "  sluicectl callback list --event evt_1PqRs --json\n"
               "  sluicectl callback list --client 203.0.113.7 --since 2h\n"
               "  sluicectl callback list --verdict refused_signature --since 1d\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace sluice::ctl
