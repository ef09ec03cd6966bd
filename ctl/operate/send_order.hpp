#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/config/connections.hpp"
#include "consumer/command/operator_settings.hpp"
#include "consumer/store/connection.hpp"
#include "ctl/console.hpp"
#include "ctl/exit.hpp"
#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/order.hpp"
#include "ctl/operate/run_options.hpp"
#include "ctl/output.hpp"

namespace sluice::ctl {

/// Where commands go, and who answers them.
struct OrderSettings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    std::vector<command::OperatorKey> keys{};  ///< of whom something may be sent
};

/// A plan alone needs no key: they are read where something may be sent.
[[nodiscard]] OrderSettings read_order_settings(const config::Document& document, bool may_send,
                                                config::Problems& problems);

/// An order as whoever calls this asks for it, under `run`. Throws Stopped.
[[nodiscard]] Order signed_order(store::ActionKind action, const RunOptions& options,
                                 const store::ActionId& run, store::Connection& connection,
                                 const OrderSettings& settings);

/// Asks on the terminal.
[[nodiscard]] bool says_yes(store::ActionKind action, std::int64_t total, Console& console);

/// Sends `total` commands, follows what becomes of them and prints that. `help`: the command whose help
/// explains refusals. Throws Stopped when a server goes.
[[nodiscard]] Exit send_order(const RunOptions& options, Form form, const Order& order,
                              const OrderSettings& settings, store::Connection& connection,
                              CommandPages& pages, std::int64_t total, std::string_view help,
                              Console& console);

}  // namespace sluice::ctl
