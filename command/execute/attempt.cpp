#include "command/execute/attempt.hpp"

#include <optional>
#include <utility>

#include "command/execute/commit.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/time_limit.hpp"

namespace sluice::command {
namespace {

using End = Attempted::End;
using Kind = Answer::Kind;
using store::ErrorClass;

constexpr const char* before_effect = "SAVEPOINT sluice_effect";
constexpr const char* back_before_effect = "ROLLBACK TO SAVEPOINT sluice_effect";

Answer failed(std::string why) {
    return {.kind = Kind::failed, .why = std::move(why)};
}

/// Before COMMIT: whatever was done is rolled back.
Attempted of_error(std::error_code error, const store::Connection& connection) {
    const ErrorClass error_class = store::class_of(error);
    const std::string why = connection.last_error().message;
    const Answer no_use{.kind = Kind::unavailable, .why = "the database is not available"};
    const bool is_overdue = error_class == ErrorClass::overdue ||
                            error == store::make_error(store::statement_overdue_and_lost, "HY000");
    if (is_overdue) return {End::settled, failed("it took longer than it may"), why};
    if (error_class == ErrorClass::connection) return {End::again, no_use, why};
    if (error_class == ErrorClass::unavailable || error_class == ErrorClass::schema)
        return {End::troubled, no_use, why};
    const bool has_waited = error.value() == static_cast<int>(store::lock_wait_timed_out);
    if (error_class != ErrorClass::lost_lock) return {End::settled, failed("a statement failed"), why};
    return {has_waited ? End::settled : End::again, failed("other commands held what it needs"), why};
}

/// The INSERT waited for another transaction, for as long as it may.
bool has_waited_for_key(std::error_code error) {
    return store::class_of(error) == ErrorClass::overdue ||
           (store::class_of(error) == ErrorClass::lost_lock &&
            error.value() == static_cast<int>(store::lock_wait_timed_out));
}

/// nullopt: the key is this command's. An expired row gives way.
std::optional<Attempted> take_key(const PreparedCommand& command, store::Connection& connection,
                                  Milliseconds for_key) {
    const store::TimeLimit limit{connection, for_key};
    const Request& request = command.request();
    const store::NewCommandKey row{.key = command.key(),
                                   .fingerprint = request.fingerprint,
                                   .command = request.key.command,
                                   .caller = request.key.caller,
                                   .caller_key = request.key.key,
                                   .keep = command.definition().keep};
    const auto inserted = store::insert_command_key(connection, row);
    if (!inserted && has_waited_for_key(inserted.error()))
        return Attempted{End::settled, {.kind = Kind::in_progress, .why = "an earlier one is at work"}};
    if (!inserted) return of_error(inserted.error(), connection);
    if (*inserted) return std::nullopt;
    const auto known = store::find_command_key(connection, command.key());
    if (!known) return of_error(known.error(), connection);
    if (*known && !(*known)->has_expired)
        return Attempted{End::settled, answer_from(**known, request.fingerprint)};
    if (const auto gone = store::forget_expired_key(connection, command.key()); !gone)
        return of_error(gone.error(), connection);
    const auto again = store::insert_command_key(connection, row);
    if (!again) return of_error(again.error(), connection);
    if (*again) return std::nullopt;
    return Attempted{End::again, {.kind = Kind::in_progress, .why = "an earlier one is at work"}};
}

/// The effect and its response, in the transaction; or why there is none.
std::expected<Response, Attempted> carry_out(const PreparedCommand& command, store::Connection& connection) {
    if (const auto set = connection.run(before_effect); !set)
        return std::unexpected(of_error(set.error(), connection));
    const auto verdict = command.run(connection);
    const auto* answer = command.definition().answers.of(verdict);
    if (answer == nullptr) return std::unexpected(attempted_by(verdict, connection));
    if (verdict.outcome == effects::Outcome::park) {
        if (const auto back = connection.run(back_before_effect); !back)
            return std::unexpected(of_error(back.error(), connection));
    }
    auto response = command.respond(*answer, connection);
    if (!response)
        return std::unexpected(Attempted{End::settled, failed(response.error()), response.error()});
    const auto written = store::write_response(connection, command.key(),
                                               {response->status, response->content_type, response->body});
    if (!written) return std::unexpected(of_error(written.error(), connection));
    return std::move(*response);
}

}  // namespace

Attempted attempted_by(const effects::Verdict& verdict, const store::Connection& connection) {
    if (store::class_of(verdict.error) != ErrorClass::unknown) {
        Attempted attempted = of_error(verdict.error, connection);
        attempted.why = verdict.reason;
        return attempted;
    }
    if (verdict.error) return {End::settled, failed("a statement failed"), verdict.reason};
    const std::string how{name_of(verdict.outcome)};
    const std::string which = verdict.case_class.empty() ? how : how + ":" + verdict.case_class;
    return {End::settled, failed("it ended with " + which + ", which is no answer"), verdict.reason};
}

Answer answer_from(const store::KnownCommandKey& known, const crypto::Digest& fingerprint) {
    if (known.fingerprint != fingerprint)
        return {.kind = Kind::mismatch, .why = "the key was used for another request"};
    if (known.failure) return {.kind = Kind::not_known, .why = *known.failure};
    if (!known.response) return {.kind = Kind::in_progress, .why = "an earlier one is at work"};
    return {.kind = Kind::replayed,
            .response = {known.response->status, known.response->content_type, known.response->body}};
}

Attempted attempt(const PreparedCommand& command, store::Connection& connection, Milliseconds for_key) {
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return of_error(open.error(), connection);
    if (auto known = take_key(command, connection, for_key)) return std::move(*known);
    auto response = carry_out(command, connection);
    if (!response) return std::move(response.error());
    Answer executed{.kind = Kind::executed, .response = std::move(*response)};
    const auto committed = commit(*open);
    if (committed.how == Committed::How::unknown) return {End::doubtful, std::move(executed), nobody_said};
    if (committed.how == Committed::How::not_done) return of_error(committed.error, connection);
    return {End::settled, std::move(executed)};
}

}  // namespace sluice::command
