#include "consumer/store/driver/connection.hpp"

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/session.hpp"
#include "consumer/store/driver/statement.hpp"
#include "consumer/store/driver/statement_cache.hpp"
#include "consumer/store/driver/statement_watch.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t kept_statements = 256;
constexpr std::size_t message_limit = 512;
constexpr std::size_t statement_limit = 256;
constexpr unsigned int duplicate_entry = 1062;
constexpr unsigned int unknown_error = 1105;
constexpr unsigned int read_only_transaction = 1792;
constexpr unsigned int not_in_a_transaction = 1568;  // may that be said

DriverError overdue() {
    return {statement_overdue, "HY000", make_error(statement_overdue, "HY000").message()};
}

DriverError overdue_and_lost() {
    return {statement_overdue_and_lost, "HY000", make_error(statement_overdue_and_lost, "HY000").message()};
}

DriverError left_in_doubt() {
    return {2013, "HY000",
            "a slow statement was being ended, and it is not known whether the server heard that"};
}

DriverError lock_wait_over() {
    return {lock_wait_timed_out, "HY000", "the statement took longer than a lock may be waited for"};
}

ServerError server_error(const DriverError& error, std::string_view statement) {
    return {make_error(error.code, error.sqlstate.c_str()), error.message.substr(0, message_limit),
            std::string{statement.substr(0, statement_limit)}};
}

}  // namespace

struct Connection::Impl {
    enum class State {
        idle,    // no transaction
        open,    // in a transaction
        failed,  // in a transaction that can only be rolled back
        dead,    // the session is gone
    };

    // The session goes first: it lets go of its statements, so that closing them sends nothing.
    StatementCache statements{kept_statements};
    SessionHandle session;
    State state = State::idle;
    ServerError last;
    std::string database;
    Patience patience;  // lock_wait: as it is now
    bool mariadb = false;
    bool is_read_only = false;   // the server makes it so
    bool writes_outside = true;  // of transactions: else the server refuses it
    StatementWatch* watch = nullptr;
    StatementObserver* observer = nullptr;
    SessionId id = 0;
    std::optional<SteadyTime> until;         // limit of what runs; only where it is watched
    std::optional<Milliseconds> short_wait;  // less than the server's own lock wait
    SteadyTime asked_at{};                   // when the server was asked last; the same

    void note_time() {
        if (watch != nullptr) asked_at = watch->now();
    }

    /// Why nothing may be sent now.
    [[nodiscard]] std::optional<std::error_code> refusal() const {
        if (state == State::failed || state == State::dead) return last.code;
        return std::nullopt;
    }

    void die() {
        // Its thread on the server goes on otherwise, with all its locks.
        if (watch != nullptr && watch->now() - asked_at >= patience.read) watch->abandon(id);
        state = State::dead;
        session.reset();
        statements.clear();
    }

    Failure fail(const DriverError& error, std::string_view statement) {
        if (state == State::open && error.code == read_only_transaction && !is_in_transaction())
            return out_of_step(statement);
        last = server_error(error, statement);
        if (class_of(last.code) == ErrorClass::connection) {
            die();
        } else if (state == State::open) {
            state = State::failed;
        }
        return Failure{last.code};
    }

    /// What `ask` gives, or that it took too long.
    template <class Ask>
    std::invoke_result_t<Ask> in_time(Ask ask) {
        note_time();
        if (!until) return ask();
        if (asked_at >= *until) return std::unexpected(overdue());
        const bool is_hurried = short_wait && asked_at + *short_wait < *until;
        watch->begin(id, is_hurried ? asked_at + *short_wait : *until);
        auto answer = ask();
        const auto ended = watch->end(id);
        if (ended == StatementWatch::Ended::no) return answer;
        // Ending it may take longer than it took: InnoDB takes back what it did.
        if (is_lost(answer)) {
            if (is_hurried || ended != StatementWatch::Ended::yes) return answer;
            return std::unexpected(overdue_and_lost());
        }
        if (ended == StatementWatch::Ended::maybe) return std::unexpected(left_in_doubt());
        // Even if it gave a result: SLEEP() does, and a function may have stopped half-way.
        return std::unexpected(is_hurried ? lock_wait_over() : overdue());
    }

    /// With the connection.
    template <class Answer>
    static bool is_lost(const Answer& answer) {
        if (answer) return false;
        return classify(answer.error().code, answer.error().sqlstate.c_str()) == ErrorClass::connection;
    }

    /// `use` of the prepared statement of this text.
    template <class Use>
    std::invoke_result_t<Use, Statement&> prepared(std::string_view text, Use use) {
        const auto ask = [&]() -> std::invoke_result_t<Use, Statement&> {
            const auto statement = statements.get(*session, text);  // waits for an altering session, too
            if (!statement) return std::unexpected(statement.error());
            auto answer = use(**statement);
            // What a server says of a value that is too large for it, it says of each later one until the
            // statement is closed: the connector sends no COM_STMT_RESET.
            if (!answer && answer.error().code == unknown_error) statements.drop(text);
            return answer;
        };
        return allowed([&] { return in_time(ask); });
    }

    /// While a session is used for transactions it may write in them alone. When one ends behind our back
    /// what came before is committed or gone, and what follows would be committed by itself: instead the
    /// server refuses it.
    std::expected<void, DriverError> let_write_outside(bool on) {
        if (writes_outside == on) return {};
        note_time();
        const auto set = run_text(
            *session, on ? "SET SESSION TRANSACTION READ WRITE" : "SET SESSION TRANSACTION READ ONLY");
        if (!set) return std::unexpected(set.error());
        writes_outside = on;
        return {};
    }

    /// What `ask` gives. Outside of a transaction what the server refused, and did not begin, is asked again.
    template <class Ask>
    std::invoke_result_t<Ask> allowed(Ask ask) {
        auto answer = ask();
        if (answer || answer.error().code != read_only_transaction) return answer;
        if (state == State::open || writes_outside) return answer;
        if (const auto let = let_write_outside(true); !let) return std::unexpected(let.error());
        return ask();
    }

    /// By the server's word, asked for when it refused to write: a trigger may do so, too.
    [[nodiscard]] bool is_in_transaction() {
        note_time();
        const auto set = run_text(*session, "SET TRANSACTION READ ONLY");
        return !set && set.error().code == not_in_a_transaction;
    }

    Failure out_of_step(std::string_view statement) {
        return fail({2014, "HY000", "the transaction ended behind our back"}, statement);
    }

    template <class Answer>
    Result<typename Answer::value_type> checked(Answer answer, std::string_view statement) {
        if (!answer) return fail(answer.error(), statement);
        return std::move(*answer);
    }

    /// `result` as it is, told to whom it may concern.
    template <class Value, class Count>
    Result<Value> told(Result<Value> result, std::string_view text, std::span<const Datum> bound,
                       Count count) {
        if (observer == nullptr) return result;
        RanStatement ran{.text = text, .bound = bound};
        if (result)
            count(ran, *result);
        else
            ran.error = result.error();
        observer->ran(ran);
        return result;
    }

    /// Moves to `next` when the statement succeeds.
    Result<void> move_to(State next, const std::string& statement) {
        note_time();
        if (const auto answer = run_text(*session, statement); !answer) {
            return fail(answer.error(), statement);
        }
        state = next;
        return {};
    }
};

Connection::Connection() : impl_{std::make_unique<Impl>()} {}
Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const config::MysqlSettings& settings,
                                                     ServerError* error, const Patience& patience) {
    auto session = open_session(settings, patience);
    if (!session) {
        const auto said = server_error(session.error(), "connect");
        if (error != nullptr) *error = said;
        return Failure{said.code};
    }
    std::unique_ptr<Connection> connection{new Connection};
    auto& impl = *connection->impl_;
    impl.session = std::move(session->handle);
    impl.database = settings.database;
    impl.patience = patience;
    impl.mariadb = session->is_mariadb;
    impl.is_read_only = session->is_read_only;
    impl.id = session->id;
    return connection;
}

bool Connection::alive() const noexcept {
    return impl_->state != Impl::State::dead;
}
bool Connection::is_mariadb() const noexcept {
    return impl_->mariadb;
}
void Connection::be_watched(StatementWatch& watch) noexcept {
    impl_->watch = &watch;
}
void Connection::be_observed(StatementObserver* observer) noexcept {
    impl_->observer = observer;
}
void Connection::set_limit(std::optional<Milliseconds> time) {
    impl_->until.reset();
    if (time && impl_->watch != nullptr) impl_->until = impl_->watch->now() + *time;
}
Result<void> Connection::check_limit() const {
    if (impl_->until && impl_->watch->now() >= *impl_->until)
        return Failure{make_error(statement_overdue, "HY000")};
    return {};
}
const ServerError& Connection::last_error() const noexcept {
    return impl_->last;
}
const std::string& Connection::database() const noexcept {
    return impl_->database;
}

bool Connection::in_transaction() const noexcept {
    return impl_->state == Impl::State::open || impl_->state == Impl::State::failed;
}

Result<void> Connection::begin() {
    if (in_transaction()) {
        return impl_->fail({2014, "HY000", "begin inside a transaction"}, "START TRANSACTION");
    }
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    if (impl_->is_read_only) return impl_->move_to(Impl::State::open, "START TRANSACTION");
    if (const auto set = impl_->let_write_outside(false); !set) {
        return impl_->fail(set.error(), "SET SESSION TRANSACTION");
    }
    return impl_->move_to(Impl::State::open, "START TRANSACTION READ WRITE");
}

Result<void> Connection::commit() {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    if (!in_transaction()) throw std::logic_error("commit without a transaction");
    return impl_->move_to(Impl::State::idle, "COMMIT");
}

Result<void> Connection::rollback() {
    if (!alive()) return Failure{impl_->last.code};
    if (!in_transaction()) return {};
    return impl_->move_to(Impl::State::idle, "ROLLBACK");
}

std::error_code Connection::end_as_moved() {
    return impl_->fail({session_moved, "HY000", "a proxy has put another session in place of this one"}, "")
        .error();
}

Result<void> Connection::ping() {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    impl_->note_time();
    const auto answers = attempt([&] { return impl_->session->isValid(); });
    if (!answers) return impl_->fail(answers.error(), "ping");
    if (!*answers) return impl_->fail({2006, "HY000", "the server does not answer on this session"}, "ping");
    return {};
}

Result<void> Connection::set_lock_wait(Milliseconds wait) {
    const auto whole = std::chrono::ceil<std::chrono::seconds>(wait);
    impl_->short_wait = wait < whole ? std::optional{wait} : std::nullopt;
    if (whole == impl_->patience.lock_wait) return {};
    const auto seconds = std::to_string(whole.count());
    const auto set =
        run("SET SESSION innodb_lock_wait_timeout = " + seconds + ", lock_wait_timeout = " + seconds);
    if (!set) return Failure{set.error()};
    impl_->patience.lock_wait = whole;
    return {};
}

Result<void> Connection::set_idle_limit(std::chrono::seconds time) {
    const auto set = run("SET SESSION wait_timeout = " + std::to_string(time.count()));
    return set ? Result<void>{} : Failure{set.error()};
}

Result<std::int64_t> Connection::run(const std::string& statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    impl_->note_time();
    const auto ask = [&] { return run_text(*impl_->session, statement); };
    return impl_->checked(impl_->allowed(ask), statement);
}

Result<std::int64_t> Connection::execute(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.execute(parameters); };
    return impl_->told(impl_->checked(impl_->prepared(statement, use), statement), statement, parameters,
                       [](RanStatement& ran, std::int64_t matched) { ran.matched = matched; });
}

Result<bool> Connection::insert(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.execute(parameters); };
    const auto inserted = impl_->prepared(statement, use);
    const bool is_duplicate = !inserted && inserted.error().code == duplicate_entry;
    if (is_duplicate) impl_->last = server_error(inserted.error(), statement);
    auto result = is_duplicate
                      ? Result<bool>{false}
                      : impl_->checked(inserted, statement).transform([](std::int64_t) { return true; });
    return impl_->told(std::move(result), statement, parameters, [](RanStatement& ran, bool is_new) {
        ran.matched = is_new ? 1 : 0;
        ran.is_duplicate = !is_new;
    });
}

Result<std::vector<Row>> Connection::query(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.query(parameters); };
    return impl_->told(impl_->checked(impl_->prepared(statement, use), statement), statement, parameters,
                       [](RanStatement& ran, const std::vector<Row>& rows) {
                           ran.matched = std::ssize(rows);
                           ran.rows = &rows;
                       });
}

Result<std::vector<Comparison>> Connection::comparisons(std::string_view statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [](const Statement& prepared) -> std::expected<std::vector<Comparison>, DriverError> {
        return prepared.comparisons();
    };
    return impl_->checked(impl_->prepared(statement, use), statement);
}

Result<std::size_t> Connection::check(std::string_view statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    impl_->note_time();
    const auto prepared = impl_->allowed([&] { return Statement::prepare(*impl_->session, statement); });
    if (!prepared) return impl_->fail(prepared.error(), statement);
    return prepared->parameter_count();
}

}  // namespace sluice::store
