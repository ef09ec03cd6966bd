#include "consumer/store/driver/session.hpp"

#include <openssl/x509.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice::store {
namespace {

// Without mysql_clear_password and dialog: a server that is not ours could ask for the password itself.
constexpr const char* allowed_plugins =
    "mysql_native_password,caching_sha2_password,sha256_password,client_ed25519,parsec";

// Whole, so that what the server's configuration says (ANSI_QUOTES, NO_BACKSLASH_ESCAPES, no strict
// mode) changes neither how our statements read nor what they store.
constexpr std::string_view sql_mode =
    "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
    "NO_ENGINE_SUBSTITUTION";

void set_flag(MYSQL& session, mysql_option option, bool on) {
    const my_bool value = on ? 1 : 0;
    mysql_options(&session, option, &value);
}

void set_seconds(MYSQL& session, mysql_option option, std::chrono::seconds wait) {
    const auto value = static_cast<unsigned int>(wait.count());
    mysql_options(&session, option, &value);
}

void set_tls(MYSQL& session, const config::Tls& tls) {
    const auto path_or_null = [](const std::string& path) { return path.empty() ? nullptr : path.c_str(); };
    if (tls.enabled) {
        // Roots are always named: without any, the driver takes a MariaDB server's word, hashed with the
        // password, for its certificate, and on loopback takes any certificate.
        const auto* roots = tls.ca_file.empty() ? X509_get_default_cert_dir() : nullptr;
        mysql_ssl_set(&session, path_or_null(tls.key_file), path_or_null(tls.cert_file),
                      path_or_null(tls.ca_file), roots, nullptr);
    }
    set_flag(session, MYSQL_OPT_SSL_ENFORCE, tls.enabled);
    // On by default from Connector/C 3.4, also where no TLS was asked for: then it would refuse plain
    // sessions.
    set_flag(session, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, tls.enabled);
}

void set_options(MYSQL& session, const config::MysqlSettings& settings, const Patience& patience) {
    set_seconds(session, MYSQL_OPT_CONNECT_TIMEOUT, patience.connect);
    set_seconds(session, MYSQL_OPT_READ_TIMEOUT, patience.read);
    set_seconds(session, MYSQL_OPT_WRITE_TIMEOUT, patience.write);
    set_flag(session, MYSQL_OPT_RECONNECT, false);
    const unsigned int off = 0;
    mysql_options(&session, MYSQL_OPT_LOCAL_INFILE, &off);
    const unsigned int tcp = MYSQL_PROTOCOL_TCP;  // "localhost" would mean a socket file
    mysql_options(&session, MYSQL_OPT_PROTOCOL, &tcp);
    mysql_options(&session, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_options(&session, MARIADB_OPT_RESTRICTED_AUTH, allowed_plugins);
    set_tls(session, settings.tls);
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

std::expected<void, DriverError> set_up(MYSQL& session, const Patience& patience) {
    const std::string variables = "SET SESSION autocommit = 1, time_zone = '+00:00', sql_mode = '" +
                                  std::string{sql_mode} + "', " +
                                  limits(mariadb_connection(&session) != 0, patience);
    if (const auto done = run_text(session, variables); !done) return std::unexpected(done.error());
    const auto done = run_text(session, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    if (!done) return std::unexpected(done.error());
    return {};
}

/// A proxy between us and the server may swallow SET statements: what counts is what the server says.
std::expected<void, DriverError> verify(MYSQL& session) {
    auto statement =
        Statement::prepare(session, "SELECT @@session.sql_mode, @@session.transaction_isolation");
    if (!statement) return std::unexpected(statement.error());
    Bindings none;
    const auto rows = statement->query({}, none);
    if (!rows) return std::unexpected(rows.error());
    const auto& mode = std::get<std::string>(rows->at(0).at(0));
    const auto& isolation = std::get<std::string>(rows->at(0).at(1));
    if (mode.contains("STRICT_TRANS_TABLES") && isolation == "READ-COMMITTED") return {};
    return std::unexpected(
        DriverError{2012, "HY000",
                    "the session is not in strict mode and READ COMMITTED, but in sql_mode '" + mode +
                        "' and " + isolation});
}

}  // namespace

std::expected<std::int64_t, DriverError> run_text(MYSQL& session, const std::string& statement) {
    if (mysql_real_query(&session, statement.data(), statement.size()) != 0) {
        return std::unexpected(error_of(session));
    }
    const ResultHandle result{mysql_store_result(&session)};
    if (!result && mysql_field_count(&session) > 0) return std::unexpected(error_of(session));
    return static_cast<std::int64_t>(mysql_affected_rows(&session));
}

std::expected<SessionHandle, DriverError> open_session(const config::MysqlSettings& settings,
                                                       const Patience& patience) {
    static std::once_flag once;
    std::call_once(once, [] { mysql_server_init(0, nullptr, nullptr); });  // not thread-safe by itself

    SessionHandle session{mysql_init(nullptr)};
    if (!session) throw std::bad_alloc{};
    set_options(*session, settings, patience);
    const std::string password{settings.password.bytes()};
    const auto* connected =
        mysql_real_connect(session.get(), settings.host.c_str(), settings.user.c_str(), password.c_str(),
                           settings.database.c_str(), settings.port, nullptr, CLIENT_FOUND_ROWS);
    if (connected == nullptr) return std::unexpected(error_of(*session));
    if (const auto done = set_up(*session, patience); !done) return std::unexpected(done.error());
    if (const auto done = verify(*session); !done) return std::unexpected(done.error());
    return session;
}

}  // namespace sluice::store
