#include <format>
#include <memory>

#include "ctl/cli/database.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/dlq/operate.hpp"
#include "ctl/outbox/message_entry.hpp"
#include "ctl/outbox/outbox_commands.hpp"

namespace sluice::ctl {
namespace {

struct OutboxOrder {
    OperateOptions options;
    std::vector<std::string> messages;
    std::string key;
};

/// Only a refused message is a person's. Others go on by themselves.
std::string entry_of(store::Connection& connection, const config::MysqlSettings& settings,
                     const store::MessageRow& message) {
    const auto open = entries_of(connection, settings, message, store::DeadLetterFilter::Which::open);
    if (!open.empty()) return std::to_string(open.back().id);
    const bool is_waiting = message.state == store::MessageState::waiting;
    throw Stopped{Exit::no,
                  std::format("message {} is {}{}", message.id, store::name_of(message.state),
                              is_waiting ? ": the relay sends it, or refuses it; sluicectl outbox list says "
                                           "why it waits"
                                         : "")};
}

/// The one that holds the key; of each destination, where none is named.
std::vector<store::MessageRow> refused_with_key(const OutboxOrder& order, store::Connection& connection,
                                                const config::MysqlSettings& settings) {
    const std::string& destination = order.options.filter.destination;
    store::MessageFilter filter{.state = store::MessageState::refused, .key = order.key};
    if (!destination.empty()) filter.destination = destination;
    constexpr std::int64_t most = 1000;
    auto messages = value_or_stop(store::list_messages(connection, filter, most), settings, connection);
    if (messages.empty()) throw Stopped{Exit::no, "no refused message has the key '" + order.key + "'"};
    return messages;
}

void refuse_mixtures(const OutboxOrder& order) {
    auto rest = order.options.filter;
    rest.destination.clear();
    const bool is_by_key = !order.key.empty();
    if (!order.messages.empty() && order.options.everything)
        throw Stopped{Exit::usage, "give ids of messages or --everything, not both"};
    if (is_by_key && (!order.messages.empty() || order.options.everything || !rest.is_empty()))
        throw Stopped{Exit::usage, "--key goes with --destination alone"};
}

void name_entries(OutboxOrder& order, Console& console) {
    auto& filter = order.options.filter;
    refuse_mixtures(order);
    if (!order.messages.empty() || !order.key.empty() || !filter.destination.empty()) {
        config::Problems problems;
        const auto document = open_config(order.options.common, problems);
        const auto settings = config::read_mysql(document, problems);
        refuse_if_any(problems, console);
        const auto connection = open_database(settings);
        if (!filter.destination.empty())
            refuse_unknown_destination(filter.destination, document, *connection, settings);
        auto& names = order.options.names;
        for (const auto& name : order.messages)
            names.push_back(entry_of(*connection, settings, message_named(*connection, settings, name)));
        if (!order.key.empty()) {
            for (const auto& message : refused_with_key(order, *connection, settings))
                names.push_back(entry_of(*connection, settings, message));
            filter.destination.clear();
        }
    }
    if (order.options.names.empty()) filter.kind = store::name_of(store::DeadLetterKind::message);
}

void add_order(CLI::App& outbox, Console& console, store::ActionKind action, const std::string& what,
               const std::string& examples) {
    const auto order = std::make_shared<OutboxOrder>();
    OperateOptions& options = order->options;
    CLI::App& command = *outbox.add_subcommand(std::string{store::name_of(action)}, what);
    add_config_option(command, options.common);
    command.add_option("MESSAGE", order->messages, "Messages, by id or idempotency key");
    command.add_option("--key", order->key, "The refused message with this key, which holds those behind it")
        ->type_name("KEY")
        ->group("Which entries");
    add_message_options(command, options.filter);
    command.add_flag("--everything", options.everything, "All refused messages, instead of a filter")
        ->group("Which entries");
    add_who(command, options.run);
    add_how(command, options.run);
    add_output_options(command, options.common);
    add_footer(command, examples);
    command.callback([action, order, &console] {
        const bool has_filter = !order->options.filter.is_empty();
        if (order->messages.empty() && order->key.empty() && !has_filter && !order->options.everything)
            throw Stopped{
                Exit::usage,
                "name messages, filter them (--key, --destination, --source, ...), or give --everything"};
        name_entries(*order, console);
        if (!has_filter) order->options.everything = false;  // the kind is the filter
        order->options.run.reason = reason_of(order->options);
        console.exit = operate(action, order->options, console);
    });
}

}  // namespace

void add_outbox_orders(CLI::App& outbox, Console& console) {
    add_order(
        outbox, console, store::ActionKind::retry,
        "Have refused messages sent again, with the idempotency keys they had; shows a plan first",
        "  sluicectl outbox retry 17 --reason 'the receiver is mended' --operator ada --apply\n"
        "  sluicectl outbox retry --destination mail --since 2h\n"
        "  sluicectl outbox retry --destination mail --reason 'mended' --operator ada --apply --rate 20/s\n");
    add_order(
        outbox, console, store::ActionKind::skip,
        "Have refused messages not sent, so that those behind them continue; shows a plan first",
        "  sluicectl outbox skip 17 --reason 'sent by hand' --operator ada --apply\n"
        "  sluicectl outbox skip --key O-17 --destination mail --reason 'sent by hand' --operator ada "
        "--apply\n"
        "  sluicectl outbox skip --destination mail --until 7d --reason 'too old' --operator ada --apply\n");
}

}  // namespace sluice::ctl
