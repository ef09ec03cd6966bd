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
    Bindings bindings;  // of the statement that runs
    State state = State::idle;
    ServerError last;
    std::string database;
    Patience patience;  // lock_wait: as it is now
    bool mariadb = false;
    StatementWatch* watch = nullptr;
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
        return in_time([&]() -> std::invoke_result_t<Use, Statement&> {
            const auto statement = statements.get(*session, text);  // waits for an altering session, too
            if (!statement) return std::unexpected(statement.error());
            return use(**statement);
        });
    }

    /// The server says in each answer whether it is in a transaction. When it is not and we are, the
    /// transaction ended behind our back and what came before is committed or gone: nothing may follow.
    [[nodiscard]] bool in_step() const {
        const bool servers = (session->server_status & SERVER_STATUS_IN_TRANS) != 0;
        return servers == (state == State::open);
    }

    Failure out_of_step(std::string_view statement) {
        return fail({2014, "HY000", "the server's transaction and ours differ"}, statement);
    }

    template <class Answer>
    Result<typename Answer::value_type> checked(Answer answer, std::string_view statement) {
        if (!answer) return fail(answer.error(), statement);
        if (!in_step()) return out_of_step(statement);
        return std::move(*answer);
    }

    /// Moves to `next` when the statement succeeds.
    Result<void> move_to(State next, const std::string& statement) {
        note_time();
        if (const auto answer = run_text(*session, statement); !answer) {
            return fail(answer.error(), statement);
        }
        state = next;
        if (!in_step()) return out_of_step(statement);
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
    impl.session = std::move(*session);
    impl.database = settings.database;
    impl.patience = patience;
    impl.mariadb = mariadb_connection(impl.session.get()) != 0;
    impl.id = mysql_thread_id(impl.session.get());
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
void Connection::set_limit(std::optional<Milliseconds> time) {
    impl_->until.reset();
    if (time && impl_->watch != nullptr) impl_->until = impl_->watch->now() + *time;
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
    return impl_->move_to(Impl::State::open, "START TRANSACTION");
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

Result<void> Connection::ping() {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    impl_->note_time();
    if (mysql_ping(impl_->session.get()) != 0) return impl_->fail(error_of(*impl_->session), "ping");
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
    return impl_->checked(run_text(*impl_->session, statement), statement);
}

Result<std::int64_t> Connection::execute(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.execute(parameters, impl_->bindings); };
    return impl_->checked(impl_->prepared(statement, use), statement);
}

Result<bool> Connection::insert(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.execute(parameters, impl_->bindings); };
    const auto inserted = impl_->prepared(statement, use);
    if (!inserted && inserted.error().code == duplicate_entry) {
        impl_->last = server_error(inserted.error(), statement);
        return false;
    }
    return impl_->checked(inserted, statement).transform([](std::int64_t) { return true; });
}

Result<std::vector<Row>> Connection::query(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto use = [&](Statement& prepared) { return prepared.query(parameters, impl_->bindings); };
    return impl_->checked(impl_->prepared(statement, use), statement);
}

Result<std::size_t> Connection::check(std::string_view statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    impl_->note_time();
    const auto prepared = Statement::prepare(*impl_->session, statement);
    if (!prepared) return impl_->fail(prepared.error(), statement);
    return prepared->parameter_count();
}

}  // namespace sluice::store
