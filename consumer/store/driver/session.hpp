#pragma once

#include <expected>

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/handle.hpp"
#include "consumer/store/driver/statement.hpp"

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

/// Connects and sets the session up as connection.hpp promises, then reads back whether strict mode and
/// isolation took.
[[nodiscard]] std::expected<SessionHandle, DriverError> open_session(const config::MysqlSettings& settings,
                                                                     const Patience& patience);

/// Text protocol; a result is read and thrown away. Rows matched.
[[nodiscard]] std::expected<std::int64_t, DriverError> run_text(MYSQL& session, const std::string& statement);

}  // namespace sluice::store
