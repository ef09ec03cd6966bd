#include <memory>

#include "ctl/callback/callback_commands.hpp"
#include "ctl/callback/callback_text.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {
namespace {

struct CallbackShowOptions {
    CommonOptions common;
    std::string id;
};

Exit show(const CallbackShowOptions& options, Console& console) {
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto named = callback_named(options.id);
    if (!named)
        throw Stopped{Exit::usage,
                      "\"" + options.id +
                          "\" is no callback's id: it looks like 20261130-e3-1207, see sluicectl "
                          "callback list"};
    const auto connection = open_database(settings);
    const auto callback =
        value_or_stop(store::find_callback(*connection, named->first, named->second), settings, *connection);
    if (!callback)
        throw Stopped{Exit::no,
                      "no callback " + options.id + " is recorded, or it was deleted after callbacks.keep"};
    print(console, options.common.chosen_form(), whole_callback_json(*callback), callback_text(*callback));
    return Exit::ok;
}

}  // namespace

void add_callback_show(CLI::App& callback, Console& console) {
    const auto options = std::make_shared<CallbackShowOptions>();
    CLI::App& command = *callback.add_subcommand(
        "show", "One callback: who sent it, what was answered, what became of it, and the request, masked");
    add_config_option(command, options->common);
    command.add_option("CALLBACK", options->id, "Its id in sluicectl callback list")->required();
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl callback show 20261130-e3-1207\n"
               "  sluicectl callback show 20261130-c0-17.4 --json\n");
    command.callback([options, &console] { console.exit = show(*options, console); });
}

}  // namespace sluice::ctl
