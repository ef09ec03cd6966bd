#pragma once

#include <cppconn/connection.h>
#include <cppconn/driver.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <expected>
#include <memory>
#include <string>
#include <type_traits>

/// Inside of Connection: nothing else includes this.
namespace sluice::store {

using SessionHandle = std::unique_ptr<sql::Connection>;
using TextHandle = std::unique_ptr<sql::Statement>;
using StatementHandle = std::unique_ptr<sql::PreparedStatement>;
using ResultHandle = std::unique_ptr<sql::ResultSet>;

/// What the connector says, before it is classified.
struct DriverError {
    unsigned int code = 0;
    std::string sqlstate;
    std::string message;
};

/// The connector's one instance. From here on the calling thread is known to it, until the thread ends.
[[nodiscard]] sql::Driver& connector();

/// The path of an option file that names the ways to log in, which the connector has no option for. It is on
/// no disk, and lives as long as the process. Throws sql::SQLException where the client library could not
/// read it: it would then go on without.
[[nodiscard]] std::string login_file();

/// Where the connector itself refused there is no code: then it is 2014, of class connection, so that nothing
/// goes on as if it had been done.
[[nodiscard]] DriverError error_of(const sql::SQLException& error);

/// What `ask` gives. No exception of the connector goes further than this.
template <class Ask>
[[nodiscard]] std::expected<std::invoke_result_t<Ask>, DriverError> attempt(Ask ask) {
    static_cast<void>(connector());
    try {
        return ask();
    } catch (const sql::SQLException& error) {
        return std::unexpected(error_of(error));
    }
}

}  // namespace sluice::store
