#include <algorithm>
#include <iterator>
#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/entry/history.hpp"
#include "ctl/outbox/message_entry.hpp"
#include "ctl/outbox/message_text.hpp"
#include "ctl/outbox/outbox_commands.hpp"

namespace sluice::ctl {
namespace {

struct OutboxShowOptions {
    CommonOptions common;
    std::string message;
};

Exit show(const OutboxShowOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto message = message_named(*connection, settings, options.message);
    Trouble trouble{
        .lane = {},
        .row = {},
        .dead_letters = entries_of(*connection, settings, message, store::DeadLetterFilter::Which::any),
        .actions = {}};
    for (const auto& entry : trouble.dead_letters) {
        auto actions =
            value_or_stop(store::actions_of_dead_letter(*connection, entry.id), settings, *connection);
        std::ranges::move(actions, std::back_inserter(trouble.actions));
    }
    Json json = to_json(message);
    json["entries"] = Json::array();
    for (const auto& entry : trouble.dead_letters) json["entries"].push_back(to_json(entry));
    json["actions"] = Json::array();
    for (const auto& action : trouble.actions) json["actions"].push_back(to_json(action));
    const WallTime now = console.clock.wall();
    const std::string history = to_people(trouble, now);
    print(console, options.common.chosen_form(), json,
          to_people(message, now) + (history.empty() ? "" : "\n" + history));
    return Exit::ok;
}

}  // namespace

void add_outbox_show(CLI::App& outbox, Console& console) {
    const auto options = std::make_shared<OutboxShowOptions>();
    CLI::App& command = *outbox.add_subcommand(
        "show",
        "One message: where it goes, what became of it, who acted on it, and its body with secrets masked");
    add_config_option(command, options->common);
    command.add_option("MESSAGE", options->message, "Its id, or its idempotency key as receivers have it")
        ->required();
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl outbox show 17\n"
               "  sluicectl outbox show 17 --json\n"
               "  sluicectl outbox show 3f9a…c01d --json    # the 64 digits of the header idempotency-key or "
               "webhook-id\n");
    command.callback([options, &console] { console.exit = show(*options, console); });
}

}  // namespace sluice::ctl
