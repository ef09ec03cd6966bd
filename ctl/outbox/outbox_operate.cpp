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
    std::vector<std::int64_t> messages;
};

/// Only a refused message is a person's. Others go on by themselves.
std::string entry_of(store::Connection& connection, const config::MysqlSettings& settings, std::int64_t id) {
    const auto message = message_named(connection, settings, id);
    const auto open = entries_of(connection, settings, message, store::DeadLetterFilter::Which::open);
    if (!open.empty()) return std::to_string(open.back().id);
    const bool is_waiting = message.state == store::MessageState::waiting;
    throw Stopped{Exit::no,
                  std::format("message {} is {}{}", id, store::name_of(message.state),
                              is_waiting ? ": the relay sends it, or refuses it when it was tried for "
                                           "longer than http.horizon of its destination"
                                         : "")};
}

void name_entries(OutboxOrder& order, Console& console) {
    order.options.filter.kind = store::name_of(store::DeadLetterKind::message);
    if (order.messages.empty()) return;
    if (order.options.everything)
        throw Stopped{Exit::usage, "give ids of messages or --everything, not both"};
    config::Problems problems;
    const auto settings = config::read_mysql(open_config(order.options.common, problems), problems);
    refuse_if_any(problems, console);
    const auto connection = open_database(settings);
    for (const auto id : order.messages) order.options.names.push_back(entry_of(*connection, settings, id));
    order.options.filter.kind.clear();
}

void add_order(CLI::App& outbox, Console& console, store::ActionKind action, const std::string& what,
               const std::string& examples) {
    const auto order = std::make_shared<OutboxOrder>();
    OperateOptions& options = order->options;
    CLI::App& command = *outbox.add_subcommand(std::string{store::name_of(action)}, what);
    add_config_option(command, options.common);
    command.add_option("ID", order->messages, "Messages, by id");
    add_message_options(command, options.filter);
    command.add_flag("--everything", options.everything, "All refused messages, instead of a filter")
        ->group("Which entries");
    add_who(command, options.run);
    add_how(command, options.run);
    add_output_options(command, options.common);
    add_footer(command, examples);
    command.callback([action, order, &console] {
        const bool has_filter = !order->options.filter.is_empty();
        if (order->messages.empty() && !has_filter && !order->options.everything)
            throw Stopped{Exit::usage,
                          "name messages, filter them (--destination, --source, ...), or give --everything"};
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
        "  sluicectl outbox skip --destination mail --until 7d --reason 'too old' --operator ada --apply\n");
}

}  // namespace sluice::ctl
