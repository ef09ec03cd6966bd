#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/result.hpp"

namespace sluice::store {

/// Text is utf8mb4; Bytes are any, as ids, digests and bodies are. Both are compared as the column says that
/// takes part: by its collation, or byte by byte where it is binary. Where none does, name the charset in the
/// statement (CONVERT(? USING binary)). nullptr_t is NULL. Days and times are UTC and arrive as text.
struct Bytes {
    std::string_view bytes;
    bool operator==(const Bytes&) const = default;
};
using Datum = std::variant<std::nullptr_t, std::int64_t, double, std::string_view, Bytes,
                           std::chrono::sys_days, WallTime>;
/// A column of a result: text, binary, decimals, enums and unsigned integers beyond int64 as std::string,
/// DATE and DATETIME as WallTime.
using OwnedDatum = std::variant<std::nullptr_t, std::int64_t, double, std::string, WallTime>;
using Row = std::vector<OwnedDatum>;

/// What a server says of a statement that failed: for the log, where the driver is touched.
struct ServerError {
    std::error_code code;
    std::string message;    ///< the server's own words; may quote data: cut, and never answered to anybody
    std::string statement;  ///< the statement's text, cut at 256 bytes
};

/// How long a session waits. `read` must exceed the others, or a statement that is waited for would look like
/// a dead server; maintenance and migrations, whose statements may copy tables, take a longer `read` and no
/// `statement`.
struct Patience {
    std::chrono::seconds connect{5};
    std::chrono::seconds read{15};
    std::chrono::seconds write{15};
    std::chrono::seconds lock_wait{5};   ///< for a row, and for a table that another session alters
    std::chrono::seconds statement{12};  ///< where the server can end one by itself (MariaDB); 0: never
};

/// A session that says nothing for so long is ended by the server, and with it what the session has locked.
inline constexpr std::chrono::seconds idle_limit{30};

/// One statement with parameters, as it was sent, and what came of it. The views live during the call.
struct RanStatement {
    std::string_view text;
    std::span<const Datum> bound;
    std::error_code error{};
    std::int64_t matched = 0;                ///< rows; of a SELECT those that it found
    const std::vector<Row>* rows = nullptr;  ///< of a SELECT
    bool is_duplicate =
        false;  ///< an INSERT whose row was there already (Connection::insert): nothing changed
};

/// What a column is compared as. Text that is bound to another than `text` is converted, and servers that are
/// strict refuse what is none in a statement that writes.
enum class Comparison { whole_number, text, other };

/// Sees what a connection runs (Connection::be_observed): for people who try effects out. One thread's.
class StatementObserver {
public:
    virtual ~StatementObserver() = default;
    virtual void ran(const RanStatement& statement) = 0;
};

class StatementWatch;

/// One session on MySQL or MariaDB over MySQL Connector/C++, with its prepared statements. Set up at
/// connect: READ COMMITTED, strict mode, CLIENT_FOUND_ROWS (row counts are rows matched), wait_timeout
/// 30 s, innodb_lock_wait_timeout and lock_wait_timeout 5 s, on MariaDB max_statement_time 12 s and
/// idle_transaction_timeout 20 s, utf8mb4, UTC, autocommit on, no multi-statements, no LOCAL INFILE, no
/// auto-reconnect, connect, read and write time-outs. The server's own sql_mode is replaced. Blocking;
/// one thread at a time. No exception but std::logic_error and std::bad_alloc leaves it.
///
/// After any error whose class is `connection` the object is dead: `alive()` is false and every
/// call fails at once. After any other statement error inside a transaction the caller rolls back; nothing
/// here does so by itself, but until then every call except `rollback` answers with that same error
/// (a COMMIT after 1205, or a statement after 1213, would keep half of the transaction).
/// `begin` inside a transaction is a bug of the caller: it fails as 2014 and the connection is dead.
///
/// A transaction that ended behind our back (a COMMIT or DDL that came in, a session that a proxy replaced
/// and set up as this one was) is found out by the next statement that writes or locks: the server refuses
/// it, because from `begin` on the session writes in transactions alone, and it fails as 2014. Outside of
/// transactions a statement that is refused so is let write and sent again: three round trips for each change
/// between the two, none else. What a server itself made read-only stays so (1792).
class Connection {
public:
    static Result<std::unique_ptr<Connection>> open(const config::MysqlSettings& settings,
                                                    ServerError* error = nullptr,
                                                    const Patience& patience = {});
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] bool alive() const noexcept;
    [[nodiscard]] bool is_mariadb() const noexcept;
    /// Has `watch`, which outlives the connection, end what takes too long: statements past their limit, and
    /// the session itself where the server has not answered within the read time-out.
    void be_watched(StatementWatch& watch) noexcept;
    /// Tells `observer` of each statement with parameters after it ran, until told otherwise; nullptr:
    /// nobody.
    void be_observed(StatementObserver* observer) noexcept;
    [[nodiscard]] bool in_transaction() const noexcept;
    [[nodiscard]] const ServerError& last_error() const noexcept;
    [[nodiscard]] const std::string& database() const noexcept;

    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<void> commit();  ///< an error of class connection: the outcome is unknown
    [[nodiscard]] Result<void> rollback();

    /// This is not the session that was opened: a proxy has put another one in its place. Dead from here on,
    /// as after any error of class connection.
    [[nodiscard]] std::error_code end_as_moved();

    /// Whether the server still answers. An idle session is closed by the server after 30 s.
    [[nodiscard]] Result<void> ping();

    /// innodb_lock_wait_timeout and lock_wait_timeout of this session: 1 s where other objects wait
    /// meanwhile. No round trip when it is that already. Less than a second is no time for the server: then
    /// the watch ends every statement under a limit that takes longer, and it fails as a lost lock (1205).
    [[nodiscard]] Result<void> set_lock_wait(Milliseconds wait);

    /// From now on `execute`, `insert` and `query` have so much time, all together: one that takes longer is
    /// ended by the watch and fails as `statement_overdue`, and so does one that would begin later. Where it
    /// is unknown whether the watch was heard the session is closed (2013), no matter what the statement
    /// gave. Without a watch it is no limit. See TimeLimit.
    void set_limit(std::optional<Milliseconds> time);
    /// `statement_overdue` once that time is over.
    [[nodiscard]] Result<void> check_limit() const;

    /// From now on; `idle_limit` at first. Outside a transaction.
    [[nodiscard]] Result<void> set_idle_limit(std::chrono::seconds time);

    /// Text protocol, no parameters: DDL, SET, maintenance, rows as literals. Rows matched; no limit holds.
    [[nodiscard]] Result<std::int64_t> run(const std::string& statement);

    /// Prepared on first use and kept (at most 256 kept, the least recently used closed). Rows matched.
    [[nodiscard]] Result<std::int64_t> execute(std::string_view statement, std::span<const Datum> parameters);
    /// An INSERT; false for 1062, and the transaction is as it was before: the server undoes the whole
    /// statement and nothing else, so that more may follow. Any other error is as in `execute`.
    [[nodiscard]] Result<bool> insert(std::string_view statement, std::span<const Datum> parameters);
    /// As `execute`, for a SELECT: the whole result.
    [[nodiscard]] Result<std::vector<Row>> query(std::string_view statement,
                                                 std::span<const Datum> parameters);
    /// Of the columns that a SELECT gives, by the word of the server when it was prepared. Prepared on first
    /// use and kept, as in `execute`.
    [[nodiscard]] Result<std::vector<Comparison>> comparisons(std::string_view statement);
    /// Prepares without running, to find out whether it could run. Parameter count.
    [[nodiscard]] Result<std::size_t> check(std::string_view statement);

private:
    Connection();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::store
