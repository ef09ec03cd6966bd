#pragma once

#include <expected>
#include <string>

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/connector.hpp"
#include "consumer/store/driver/statement_watch.hpp"

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

struct Session {
    SessionHandle handle;
    bool is_mariadb = false;
    bool is_read_only = false;  ///< its transactions are, unless they are begun as others
    SessionId id = 0;
};

/// Connects and sets the session up as connection.hpp promises, then reads back whether autocommit, strict
/// mode and isolation took.
[[nodiscard]] std::expected<Session, DriverError> open_session(const config::MysqlSettings& settings,
                                                               const Patience& patience);

/// Text protocol; a result is read and thrown away. Rows matched. Also for COMMIT and ROLLBACK: the
/// connector's own do not say whether they failed.
[[nodiscard]] std::expected<std::int64_t, DriverError> run_text(sql::Connection& session,
                                                                const std::string& statement);

}  // namespace sluice::store
