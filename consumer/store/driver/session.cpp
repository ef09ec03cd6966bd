#include "consumer/store/driver/session.hpp"

#include <cppconn/metadata.h>
#include <openssl/x509.h>

#include <string_view>
#include <utility>

#include "consumer/store/driver/statement.hpp"

namespace sluice::store {
namespace {

// Whole, so that what the server's configuration says (ANSI_QUOTES, NO_BACKSLASH_ESCAPES, no strict
// mode) changes neither how our statements read nor what they store.
constexpr std::string_view sql_mode =
    "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION";

int seconds(std::chrono::seconds wait) {
    return static_cast<int>(wait.count());
}

/// As the connector reads it: an address of IPv6 would end at its first colon.
std::string place(const std::string& host) {
    return host.contains(':') && !host.starts_with('[') ? "tcp://[" + host + "]" : "tcp://" + host;
}

void set_tls(sql::ConnectOptionsMap& options, const config::Tls& tls) {
    options["sslEnforce"] = tls.enabled;
    // On by default from Connector/C 3.4, also where no TLS was asked for: then it would refuse plain
    // sessions.
    options["sslVerify"] = tls.enabled;
    if (!tls.enabled) return;
    // Roots are always named: without any, the client library takes a MariaDB server's word, hashed with the
    // password, for its certificate, and the connector then verified nothing.
    if (tls.ca_file.empty()) {
        options["sslCAPath"] = X509_get_default_cert_dir();
    } else {
        options["sslCA"] = tls.ca_file;
    }
    if (!tls.cert_file.empty()) options["sslCert"] = tls.cert_file;
    if (!tls.key_file.empty()) options["sslKey"] = tls.key_file;
}

sql::ConnectOptionsMap options_of(const config::MysqlSettings& settings, const Patience& patience) {
    sql::ConnectOptionsMap options;
    options["hostName"] = place(settings.host);  // "localhost" alone would be a socket file to others
    options["port"] = int{settings.port};
    options["userName"] = std::string{settings.user.now().bytes()};
    options["password"] = std::string{settings.password.now().bytes()};
    options["schema"] = settings.database;
    options["CLIENT_FOUND_ROWS"] = true;
    options["OPT_CONNECT_TIMEOUT"] = seconds(patience.connect);
    options["OPT_READ_TIMEOUT"] = seconds(patience.read);
    options["OPT_WRITE_TIMEOUT"] = seconds(patience.write);
    options["OPT_RECONNECT"] = false;
    options["OPT_LOCAL_INFILE"] = 0;
    options["OPT_CHARSET_NAME"] = "utf8mb4";
    options["readDefaultFile"] = login_file();
    set_tls(options, settings.tls);
    return options;
}

/// The server waits for a statement of a session whose host has died for so long, and holds its locks
/// meanwhile. Only MariaDB tells a session that is in a transaction from an idle one.
std::string limits(bool is_mariadb, const Patience& patience) {
    const std::string wait = std::to_string(patience.lock_wait.count());
    std::string text = "wait_timeout = " + std::to_string(idle_limit.count()) +
                       ", innodb_lock_wait_timeout = " + wait + ", lock_wait_timeout = " + wait;
    if (is_mariadb)
        text += ", idle_transaction_timeout = 20, max_statement_time = " +
                std::to_string(patience.statement.count());
    return text;
}

std::expected<void, DriverError> set_up(Session& session, const Patience& patience) {
    const std::string variables = "SET SESSION autocommit = 1, time_zone = '+00:00', sql_mode = '" +
                                  std::string{sql_mode} + "', " + limits(session.is_mariadb, patience);
    if (const auto done = run_text(*session.handle, variables); !done) return std::unexpected(done.error());
    const auto done = run_text(*session.handle, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    if (!done) return std::unexpected(done.error());
    return {};
}

/// A proxy between us and the server may swallow SET statements: what counts is what the server says.
std::expected<void, DriverError> verify(Session& session) {
    auto statement =
        Statement::prepare(*session.handle,
                           "SELECT @@session.sql_mode, @@session.transaction_isolation,"
                           " @@session.autocommit, @@session.transaction_read_only, CONNECTION_ID()");
    if (!statement) return std::unexpected(statement.error());
    const auto rows = statement->query({});
    if (!rows) return std::unexpected(rows.error());
    const auto& row = rows->at(0);
    const auto& mode = std::get<std::string>(row.at(0));
    const auto& isolation = std::get<std::string>(row.at(1));
    const bool commits = std::get<std::int64_t>(row.at(2)) == 1;
    session.is_read_only = std::get<std::int64_t>(row.at(3)) == 1;
    session.id = static_cast<SessionId>(std::get<std::int64_t>(row.at(4)));
    if (mode.contains("STRICT_TRANS_TABLES") && isolation == "READ-COMMITTED" && commits) return {};
    return std::unexpected(
        DriverError{2012, "HY000",
                    "the session is not in strict mode, READ COMMITTED and autocommit, but in sql_mode '" +
                        mode + "' and " + isolation});
}

}  // namespace

std::expected<std::int64_t, DriverError> run_text(sql::Connection& session, const std::string& statement) {
    return attempt([&]() -> std::int64_t {
        const TextHandle text{session.createStatement()};
        if (!text->execute(statement)) return static_cast<std::int64_t>(text->getUpdateCount());
        const ResultHandle result{text->getResultSet()};
        return static_cast<std::int64_t>(result->rowsCount());
    });
}

std::expected<Session, DriverError> open_session(const config::MysqlSettings& settings,
                                                 const Patience& patience) {
    auto opened = attempt([&] {
        auto options = options_of(settings, patience);
        Session session{.handle = SessionHandle{connector().connect(options)}};
        const std::string version = session.handle->getMetaData()->getDatabaseProductVersion();
        session.is_mariadb = version.contains("MariaDB");
        return session;
    });
    if (!opened) return opened;
    if (const auto done = set_up(*opened, patience); !done) return std::unexpected(done.error());
    if (const auto done = verify(*opened); !done) return std::unexpected(done.error());
    return opened;
}

}  // namespace sluice::store
