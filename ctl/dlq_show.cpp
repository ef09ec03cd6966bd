#include <memory>

#include "ctl/database.hpp"
#include "ctl/dlq/details.hpp"
#include "ctl/dlq_commands.hpp"
#include "ctl/options.hpp"

namespace sluice::ctl {
namespace {

struct DlqShowOptions {
    CommonOptions common;
    std::string name;
};

Exit show_entries(const DlqShowOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto letters = letters_named(*connection, settings, options.name);
    Json entries = Json::array();
    std::string people;
    for (const auto& letter : letters) {
        const auto details = details_of(*connection, settings, letter);
        entries.push_back(to_json(details));
        people += (people.empty() ? "" : "\n") + to_people(details, console.clock.wall());
    }
    if (letters.empty()) people = "No entry has the id " + options.name + ", nor has one's event.\n";
    print(console, options.common.chosen_form(), {{"id", options.name}, {"entries", std::move(entries)}},
          people);
    return letters.empty() ? Exit::no : Exit::ok;
}

}  // namespace

void add_dlq_show(CLI::App& dlq, Console& console) {
    const auto options = std::make_shared<DlqShowOptions>();
    CLI::App& command = *dlq.add_subcommand(
        "show", "One entry: why, what waits behind it, what was done, and its payload with secrets masked");
    add_config_option(command, options->common);
    command.add_option("ID", options->name, "The entry's id, or the provider's id of its event")->required();
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl dlq show 4711\n"
               "  sluicectl dlq show evt_1ABC --json\n");
    command.callback([options, &console] { console.exit = show_entries(*options, console); });
}

}  // namespace sluice::ctl
