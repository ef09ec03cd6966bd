#include "consumer/store/command/command_list.hpp"

#include <memory>

#include "common/crypto/encoding.hpp"
#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/command/command_commands.hpp"
#include "ctl/command/command_text.hpp"
#include "ctl/command/unlisted.hpp"

namespace sluice::ctl {
namespace {

struct CommandListOptions {
    CommonOptions common;
    store::CommandFilter filter;
    std::int64_t limit = 50;
    std::string after;
};

/// Throws Stopped where `after` names no row: it may have been deleted since.
std::optional<store::CommandPlace> place_of(const std::string& after, store::Connection& connection,
                                            const config::MysqlSettings& settings) {
    if (after.empty()) return std::nullopt;
    const auto key = crypto::digest_from_hex(after, true);
    if (!key)
        throw Stopped{Exit::usage, "--after takes the 64 hexadecimal digits that the page before named"};
    const auto row = value_or_stop(store::find_command(connection, *key), settings, connection);
    if (!row) throw Stopped{Exit::no, "the last command of the page before is kept no longer: start again"};
    return store::CommandPlace{row->keep_until, row->key};
}

std::string text_of(const std::vector<store::CommandRow>& commands, const CommandListOptions& options,
                    WallTime now) {
    std::string text = commands.empty() ? "No commands.\n" : commands_table(commands, now);
    if (commands.size() == static_cast<std::size_t>(options.limit))
        text += "\nThe next page: --after " + crypto::to_hex(crypto::as_text(commands.back().key)) + "\n";
    return text;
}

Exit list(const CommandListOptions& options, Console& console) {
    config::Problems problems;
    const auto document = open_config(options.common, problems);
    const auto settings = config::read_mysql(document, problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    const auto after = place_of(options.after, *connection, settings);
    const auto commands = value_or_stop(
        store::list_commands(*connection, options.filter, options.limit, after), settings, *connection);
    print(console, options.common.chosen_form(), to_json(commands),
          text_of(commands, options, console.clock.wall()) +
              why_unlisted(document,
                           {options.filter.command.value_or(""), options.filter.caller.value_or("")}));
    return Exit::ok;
}

}  // namespace

void add_command_list(CLI::App& commands, Console& console) {
    const auto options = std::make_shared<CommandListOptions>();
    CLI::App& command = *commands.add_subcommand(
        "list", "Commands whose first response is kept, those that are kept for the longest first");
    add_config_option(command, options->common, variable_of_their_file());
    const auto add = [&](const char* name, auto& target, const char* text, const char* type) {
        command.add_option(name, target, text)->type_name(type)->group("Which commands");
    };
    add("--command", options->filter.command, "Of this name", "NAME");
    add("--caller", options->filter.caller, "Of this caller's principal", "PRINCIPAL");
    command.add_option("--state", options->filter.state, "in_progress, done or failed")
        ->type_name("STATE")
        ->group("Which commands")
        ->check(CLI::IsMember({"in_progress", "done", "failed"}));
    add("--status", options->filter.status, "Whose response has this status", "N");
    add_number(command, "--limit", options->limit, "Commands per page", 1, 1000);
    command.add_option("--after", options->after, "The page after the command with this digest")
        ->type_name("DIGEST");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl command list\n"
               "  sluicectl command list --command charge-click --status 409\n"
               "  sluicectl command list --state failed\n"
               "  sluicectl command list --caller ads-team --json\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace sluice::ctl
