#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/command/operator_settings.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/cli/console.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/output.hpp"
#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/operator_request.hpp"
#include "ctl/operate/run_options.hpp"

namespace sluice::ctl {

/// Where commands go, and who answers them.
struct RequestSettings {
    config::MysqlSettings mysql;
    config::KafkaSettings kafka;
    std::optional<command::OperatorKey> key{};  ///< that signs; none: nothing is signed, or sent
    std::vector<store::ActionKind> two_for{};   ///< commands that take two operators
};

/// A plan alone needs no key: it is read where something may be sent, and no other operator's is. Throws
/// Stopped as signing_key does.
[[nodiscard]] RequestSettings read_request_settings(const config::Document& document,
                                                    const RunOptions& options, bool may_send,
                                                    config::Problems& problems);

/// The key that signs a proposal or an approval (`what`). Throws Stopped(usage) where it is not this
/// operator's own: a key without an operator does not say who signed.
[[nodiscard]] const command::OperatorKey& own_key(const RequestSettings& settings, std::string_view what,
                                                  std::string_view operator_name);

/// The request that the operator in `options` asks for, under `run`. Throws Stopped.
[[nodiscard]] OperatorRequest signed_request(store::ActionKind action, const RunOptions& options,
                                             const store::ActionId& run, store::Connection& connection,
                                             const RequestSettings& settings);

/// Of this machine; 255 bytes at most.
[[nodiscard]] std::string host_name();

/// Sends `total` commands, follows what becomes of them and prints that. `help`: the command whose help
/// explains refusals. Throws Stopped when a server goes.
[[nodiscard]] Exit send_request(const RunOptions& options, Form form, const OperatorRequest& request,
                                const RequestSettings& settings, store::Connection& connection,
                                CommandPages& pages, std::int64_t total, std::string_view help,
                                Console& console);

}  // namespace sluice::ctl
