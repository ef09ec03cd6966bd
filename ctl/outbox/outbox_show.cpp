#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/entry/dead_letter_text.hpp"
#include "ctl/outbox/message_entry.hpp"
#include "ctl/outbox/message_text.hpp"
#include "ctl/outbox/outbox_commands.hpp"

namespace sluice::ctl {
namespace {

struct OutboxShowOptions {
    CommonOptions common;
    std::int64_t id = 0;
};

Exit show(const OutboxShowOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto message = message_named(*connection, settings, options.id);
    const auto entries = entries_of(*connection, settings, message, store::DeadLetterFilter::Which::any);
    Json json = to_json(message);
    json["entries"] = Json::array();
    for (const auto& entry : entries) json["entries"].push_back(to_json(entry));
    const WallTime now = console.clock.wall();
    print(console, options.common.chosen_form(), json,
          to_people(message, now) +
              (entries.empty() ? "" : "\nentries of the DLQ\n" + dead_letters_table(entries, now)));
    return Exit::ok;
}

}  // namespace

void add_outbox_show(CLI::App& outbox, Console& console) {
    const auto options = std::make_shared<OutboxShowOptions>();
    CLI::App& command = *outbox.add_subcommand(
        "show",
        "One message: where it goes, what became of it, its entries, and its body with secrets masked");
    add_config_option(command, options->common);
    command.add_option("ID", options->id, "The id of the message")->required();
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl outbox show 17\n"
               "  sluicectl outbox show 17 --json\n");
    command.callback([options, &console] { console.exit = show(*options, console); });
}

}  // namespace sluice::ctl
