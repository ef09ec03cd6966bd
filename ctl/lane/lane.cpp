#include <format>
#include <memory>

#include "ctl/cli/commands.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/number_options.hpp"
#include "ctl/lane/lane_text.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t most_lanes = 20;

struct LaneOptions {
    CommonOptions common;
    std::string state;
    std::string key;
    NumberOptions numbers;
    std::int64_t limit = 50;
    lane::Position after = 0;
};

config::MysqlSettings mysql_of(const LaneOptions& options, Console& console) {
    config::Problems problems;
    auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    return settings;
}

std::optional<lane::State> state_named(const std::string& name) {
    if (name.empty()) return std::nullopt;
    const auto state = store::lane_state_from(name);
    if (!state)
        throw Stopped{Exit::usage, "--state must be deferring, waiting, draining, quarantined or open"};
    return state;
}

Exit list_lanes(const LaneOptions& options, Console& console) {
    const auto state = state_named(options.state);
    const auto settings = mysql_of(options, console);
    const auto connection = open_database(settings);
    const auto counts = value_or_stop(store::count_lanes(*connection), settings, *connection);
    const auto lanes =
        value_or_stop(store::list_lanes(*connection, state, options.limit), settings, *connection);
    print(console, options.common.chosen_form(), to_json(counts, lanes),
          to_people(counts, lanes, console.clock.wall()));
    return Exit::ok;
}

/// The lanes in which events of a payment wait: one object's, and more if a provider keeps order by another.
Exit show_lanes_of_payment(const LaneOptions& options, Console& console) {
    const auto settings = mysql_of(options, console);
    const auto connection = open_database(settings);
    const auto lanes = value_or_stop(
        store::lanes_of_payment(*connection, asked_by(options.numbers), most_lanes), settings, *connection);
    Json json = Json::object();
    add_numbers(json, options.numbers.reference, options.numbers.transaction);
    json["lanes"] = Json::array();
    std::string people;
    for (const auto& lane : lanes) {
        const auto events = value_or_stop(
            store::list_events(*connection, lane.key, options.limit, options.after), settings, *connection);
        json["lanes"].push_back(to_json(lane, events));
        people += (people.empty() ? "" : "\n") + to_people(lane, events, console.clock.wall());
    }
    if (lanes.empty()) people = "No event of " + asked_text(options.numbers) + " waits.\n";
    print(console, options.common.chosen_form(), json, people);
    return lanes.empty() ? Exit::no : Exit::ok;
}

Exit show_lane(const LaneOptions& options, Console& console) {
    refuse_unless_one(options.key, "a key", options.numbers);
    if (options.numbers.any()) return show_lanes_of_payment(options, console);
    const auto settings = mysql_of(options, console);
    const auto connection = open_database(settings);
    const auto key = store::lane_key_of(options.key);
    const auto lane = value_or_stop(store::find_lane(*connection, key), settings, *connection);
    if (!lane) {
        print(console, options.common.chosen_form(), {{"object_key", options.key}, {"lane", nullptr}},
              "No lane: " + options.key + " has had no trouble recently, so none of its events wait.\n");
        return Exit::no;
    }
    const auto events = value_or_stop(store::list_events(*connection, key, options.limit, options.after),
                                      settings, *connection);
    print(console, options.common.chosen_form(), to_json(*lane, events),
          to_people(*lane, events, console.clock.wall()));
    return Exit::ok;
}

void add_lane_list(CLI::App& lane, Console& console) {
    const auto options = std::make_shared<LaneOptions>();
    CLI::App& command = *lane.add_subcommand(
        "list", "Objects with unfinished events: counts by state, then the objects, longest wait first");
    add_config_option(command, options->common);
    command
        .add_option("--state", options->state,
                    "deferring, waiting, draining, quarantined, or open (only cases that hold nothing)")
        ->type_name("STATE");
    add_number(command, "--limit", options->limit, "Lanes", 1, 1000);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl lane list\n"
               "  sluicectl lane list --state quarantined --json\n");
    command.callback([options, &console] { console.exit = list_lanes(*options, console); });
}

void add_lane_show(CLI::App& lane, Console& console) {
    const auto options = std::make_shared<LaneOptions>();
    CLI::App& command = *lane.add_subcommand(
        "show", "One object, or those of a payment: state, and unfinished events in order");
    add_config_option(command, options->common);
    command.add_option("KEY", options->key, "The ordering key: <provider>/<principal>/<object id>");
    add_number_options(command, options->numbers);
    add_number(command, "--limit", options->limit, "Events per page", 1, 1000);
    command.add_option("--after", options->after, "The page after this position")->type_name("POSITION");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl lane show stripe/acct_main/pi_3Q\n"
               "  sluicectl lane show stripe/acct_main/pi_3Q --after 50\n"
               "  sluicectl lane show --reference O-17\n");
    command.callback([options, &console] { console.exit = show_lane(*options, console); });
}

}  // namespace

void add_lane(CLI::App& program, Console& console) {
    CLI::App& lane = *program.add_subcommand("lane", "Lanes: objects whose events wait, in order");
    lane.require_subcommand(1);
    add_lane_list(lane, console);
    add_lane_show(lane, console);
}

}  // namespace sluice::ctl
