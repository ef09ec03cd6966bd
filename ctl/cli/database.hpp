#pragma once

#include <memory>
#include <system_error>
#include <utility>

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::ctl {

/// "MySQL at db:3306: <what the server or the library said>"
[[nodiscard]] std::string complaint_of(const config::MysqlSettings& settings,
                                       const store::ServerError& error);

/// A session, or Stopped: `unreachable` when no server answers there, `no` when it refuses us.
[[nodiscard]] std::unique_ptr<store::Connection> open_database(const config::MysqlSettings& settings,
                                                               const store::Patience& patience = {});

/// Stopped for `error` of a call on an open session, with the server's words where it is the server's.
[[noreturn]] void stop_on(const config::MysqlSettings& settings, const store::Connection& connection,
                          std::error_code error);

/// What a call on `connection` gave, or `stop_on`.
template <class Value>
[[nodiscard]] Value value_or_stop(Result<Value> result, const config::MysqlSettings& settings,
                                  const store::Connection& connection) {
    if (!result) stop_on(settings, connection, result.error());
    return std::move(*result);
}

}  // namespace sluice::ctl
