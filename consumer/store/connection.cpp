#include "consumer/store/connection.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

#include "consumer/store/error.hpp"
#include "consumer/store/session.hpp"
#include "consumer/store/statement.hpp"
#include "consumer/store/statement_cache.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t kept_statements = 256;
constexpr std::size_t message_limit = 512;
constexpr std::size_t statement_limit = 256;
constexpr unsigned int duplicate_entry = 1062;

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
    std::chrono::seconds lock_wait{};
    bool mariadb = false;

    /// Why nothing may be sent now.
    [[nodiscard]] std::optional<std::error_code> refusal() const {
        if (state == State::failed || state == State::dead) return last.code;
        return std::nullopt;
    }

    void die() {
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
    impl.lock_wait = patience.lock_wait;
    impl.mariadb = mariadb_connection(impl.session.get()) != 0;
    return connection;
}

bool Connection::alive() const noexcept {
    return impl_->state != Impl::State::dead;
}
bool Connection::is_mariadb() const noexcept {
    return impl_->mariadb;
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
    if (mysql_ping(impl_->session.get()) != 0) return impl_->fail(error_of(*impl_->session), "ping");
    return {};
}

Result<void> Connection::set_lock_wait(std::chrono::seconds wait) {
    if (wait == impl_->lock_wait) return {};
    const auto set = run("SET SESSION innodb_lock_wait_timeout = " + std::to_string(wait.count()));
    if (!set) return Failure{set.error()};
    impl_->lock_wait = wait;
    return {};
}

Result<std::int64_t> Connection::run(const std::string& statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    return impl_->checked(run_text(*impl_->session, statement), statement);
}

Result<std::int64_t> Connection::execute(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto prepared = impl_->statements.get(*impl_->session, statement);
    if (!prepared) return impl_->fail(prepared.error(), statement);
    return impl_->checked((*prepared)->execute(parameters, impl_->bindings), statement);
}

Result<bool> Connection::insert(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto prepared = impl_->statements.get(*impl_->session, statement);
    if (!prepared) return impl_->fail(prepared.error(), statement);
    const auto inserted = (*prepared)->execute(parameters, impl_->bindings);
    if (!inserted && inserted.error().code == duplicate_entry) {
        impl_->last = server_error(inserted.error(), statement);
        return false;
    }
    return impl_->checked(inserted, statement).transform([](std::int64_t) { return true; });
}

Result<std::vector<Row>> Connection::query(std::string_view statement, std::span<const Datum> parameters) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto prepared = impl_->statements.get(*impl_->session, statement);
    if (!prepared) return impl_->fail(prepared.error(), statement);
    return impl_->checked((*prepared)->query(parameters, impl_->bindings), statement);
}

Result<std::size_t> Connection::check(std::string_view statement) {
    if (const auto refused = impl_->refusal()) return Failure{*refused};
    const auto prepared = Statement::prepare(*impl_->session, statement);
    if (!prepared) return impl_->fail(prepared.error(), statement);
    return prepared->parameter_count();
}

}  // namespace sluice::store
