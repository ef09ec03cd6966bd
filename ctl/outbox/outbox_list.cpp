#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/outbox/message_entry.hpp"
#include "ctl/outbox/message_text.hpp"
#include "ctl/outbox/outbox_commands.hpp"

namespace sluice::ctl {
namespace {

struct OutboxListOptions {
    CommonOptions common;
    std::string state;
    std::string destination;
    std::string key;
    bool all = false;
    std::int64_t limit = 50;
    std::int64_t after = 0;
};

store::MessageFilter filter_of(const OutboxListOptions& options) {
    store::MessageFilter filter{.of_any_state = options.all,
                                .destination = unless_empty(options.destination),
                                .key = unless_empty(options.key)};
    if (!options.state.empty()) filter.state = store::message_state_from(options.state);
    return filter;
}

Json json_of(const std::vector<store::MessageCount>& counts, const std::vector<store::MessageRow>& messages) {
    Json by = Json::array();
    for (const auto& count : counts) by.push_back(to_json(count));
    Json rows = Json::array();
    for (const auto& message : messages) rows.push_back(to_json(message));
    return {{"counts", std::move(by)}, {"messages", std::move(rows)}};
}

std::string text_of(const std::vector<store::MessageCount>& counts,
                    const std::vector<store::MessageRow>& messages, const OutboxListOptions& options,
                    WallTime now) {
    if (counts.empty() && messages.empty()) return "No messages.\n";
    const std::string head = counts.empty() ? "" : counts_table(counts, now) + "\n";
    std::string text = head + messages_table(messages, now);
    if (messages.size() == static_cast<std::size_t>(options.limit))
        text += "\nThe next page: --after " + std::to_string(messages.back().id) + "\n";
    return text;
}

Exit list(const OutboxListOptions& options, Console& console) {
    config::Problems problems;
    const auto document = open_config(options.common, problems);
    const auto settings = config::read_mysql(document, problems);
    refuse_if_any(problems, console);
    const auto filter = filter_of(options);
    const auto connection = open_database(settings);
    const auto counts = value_or_stop(store::count_messages(*connection, filter), settings, *connection);
    const auto messages = value_or_stop(
        store::list_messages(*connection, filter, options.limit, options.after), settings, *connection);
    if (messages.empty() && !options.destination.empty())
        refuse_unknown_destination(options.destination, document, *connection, settings);
    print(console, options.common.chosen_form(), json_of(counts, messages),
          text_of(counts, messages, options, console.clock.wall()));
    return Exit::ok;
}

}  // namespace

void add_outbox_list(CLI::App& outbox, Console& console) {
    const auto options = std::make_shared<OutboxListOptions>();
    CLI::App& command = *outbox.add_subcommand(
        "list",
        "Messages that are not sent: counts by destination and state, then the messages in their order");
    add_config_option(command, options->common);
    const auto add = [&](const char* name, std::string& target, const char* text, const char* type) {
        return command.add_option(name, target, text)->type_name(type)->group("Which messages");
    };
    add("--state", options->state, "waiting, refused, sent or skipped", "STATE")
        ->check(CLI::IsMember({"waiting", "refused", "sent", "skipped"}));
    add("--destination", options->destination, "To this destination", "NAME");
    add("--key", options->key, "With this key", "KEY");

    command.add_flag("--all", options->all, "Also those that were sent or skipped")->group("Which messages");
    add_number(command, "--limit", options->limit, "Messages per page", 1, 1000);
    command.add_option("--after", options->after, "The page after the message with this id")->type_name("ID");
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl outbox list\n"
               "  sluicectl outbox list --state refused --destination mail\n"
               "  sluicectl outbox list --key O-17 --all --json\n");
    command.callback([options, &console] { console.exit = list(*options, console); });
}

}  // namespace sluice::ctl
