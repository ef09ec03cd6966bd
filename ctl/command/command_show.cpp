#include <format>
#include <memory>

#include "common/crypto/encoding.hpp"
#include "consumer/store/command/command_key.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/command/command_commands.hpp"
#include "ctl/command/command_text.hpp"
#include "ctl/command/unlisted.hpp"

namespace sluice::ctl {
namespace {

struct CommandShowOptions {
    CommonOptions common;
    std::string command;
    std::string key;
    std::string caller;
};

/// Those who may have asked: the one that was named, or all of the file.
std::vector<std::string> principals_of(const CommandShowOptions& options, const config::Document& document) {
    if (!options.caller.empty()) return {options.caller};
    std::vector<std::string> principals;
    const auto callers = document.value("callers");
    for (const auto& caller : callers ? callers->items() : std::vector<config::Value>{})
        if (caller.is_mapping())
            principals.push_back(config::Section{caller, "callers"}.text("principal", ""));
    if (principals.empty())
        throw Stopped{Exit::usage,
                      "the file lists no callers, and each has keys of its own: name one with --caller"};
    return principals;
}

std::vector<store::CommandRow> commands_named(const CommandShowOptions& options,
                                              const std::vector<std::string>& principals,
                                              store::Connection& connection,
                                              const config::MysqlSettings& settings) {
    std::vector<store::CommandRow> found;
    for (const auto& principal : principals) {
        const auto digest = store::command_digest(principal, options.command, options.key);
        if (auto row = value_or_stop(store::find_command(connection, digest), settings, connection))
            found.push_back(std::move(*row));
    }
    return found;
}

Exit show(const CommandShowOptions& options, Console& console) {
    config::Problems problems;
    const auto document = open_config(options.common, problems);
    const auto settings = config::read_mysql(document, problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto commands = commands_named(options, principals_of(options, document), *connection, settings);
    std::string text;
    for (const auto& command : commands)
        text += (text.empty() ? "" : "\n") + to_people(command, console.clock.wall());
    if (commands.empty())
        text =
            std::format(
                "Absent: no committed command {} has this key. One that is at work, or that waits in Kafka "
                "to be booked, has none yet.\n",
                options.command) +
            why_unlisted(document, {options.command, options.caller});
    print(console, options.common.chosen_form(), to_json(commands), text);
    return commands.empty() ? Exit::no : Exit::ok;
}

}  // namespace

void add_command_show(CLI::App& commands, Console& console) {
    const auto options = std::make_shared<CommandShowOptions>();
    CLI::App& command = *commands.add_subcommand(
        "show",
        "What became of one key: its first response with secrets masked; exits with 1 if it is absent");
    add_config_option(command, options->common, variable_of_their_file());
    command.add_option("COMMAND", options->command, "Its name in the configuration")->required();
    command
        .add_option("KEY", options->key,
                    "The key as the caller sent it, without quotes; or the 64 digits that "
                    "fields of the body make, as in Location")
        ->required();
    command
        .add_option("--caller", options->caller, "The principal of the caller; all of the file by default")
        ->type_name("PRINCIPAL");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl command show charge-click k1\n"
               "  sluicectl command show charge-click k1 --caller ads-team --json\n");
    command.callback([options, &console] { console.exit = show(*options, console); });
}

}  // namespace sluice::ctl
