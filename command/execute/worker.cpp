#include "command/execute/worker.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <random>
#include <utility>

#include "command/execute/settle.hpp"
#include "common/thread_name.hpp"
#include "consumer/store/command/command_key.hpp"

namespace sluice::command {
namespace {

using End = Attempted::End;

constexpr int most_tries = 3;  // of a deadlock's victim, or on a session that was gone
constexpr Milliseconds least_wait_for_key{100};
constexpr Milliseconds to_settle{5000};

/// Who waits for longer gets no other answer.
Milliseconds left(SteadyTime answer_by, SteadyTime now) {
    return std::max(std::chrono::ceil<Milliseconds>(answer_by - now), least_wait_for_key);
}

}  // namespace

Worker::Worker(const Shared& shared)
    : shared_{shared},
      random_{std::random_device{}()},
      database_{shared.around.mysql, shared.around.log, shared.around.readiness, shared.around.clock, random_,
                shared_.moves,       shared.limits},
      together_{shared.set},
      undone_{shared.around.metrics.counter(
          "sluice_command_batches_undone_total",
          "Transactions of many commands that were undone: each of their commands goes alone")},
      thread_{[this] { run(); }} {}

void Worker::run() {
    name_this_thread("command");
    const Clock& clock = shared_.around.clock;
    while (!shared_.queue.is_closed()) {
        auto job = shared_.queue.pop(clock.steady(), database_.next_look(std::nullopt));
        if (!job)
            keep_session();
        else
            job->shareable ? work_together(std::move(*job)) : work_at(*job);
    }
}

void Worker::work_at(const Job& job) {
    try {
        job.work(*this);
    } catch (const std::exception& error) {
        shared_.around.log.error("command_broken", {{"reason", error.what()}});
        job.turn_away();
    }
    shared_.queue.ended(job);
}

void Worker::keep_session() {
    if (database_.ready() == nullptr) return;
    database_.keep_alive();
    if (database_.ready() != nullptr) database_.worked();
}

Answer Worker::no_database() {
    return {.kind = Answer::Kind::unavailable, .why = "the database is not available"};
}

Answer Worker::execute(const Definition& definition, const Request& request) {
    const Clock& clock = shared_.around.clock;
    PreparedCommand command{definition, request, request.accepted_at.value_or(clock.wall())};
    if (auto why = command.read()) return {.kind = Answer::Kind::refused, .why = std::move(*why)};
    Attempted attempted;
    for (int tries = 0; tries < most_tries; ++tries) {
        auto* connection = database_.ready();
        if (connection == nullptr) return no_database();
        attempted = attempt(command, *connection, left(request.answer_by, clock.steady()));
        if (attempted.end == End::doubtful)
            return settled(command, std::move(attempted), again_on_same_server(), to_settle);
        if (attempted.end != End::again) break;
    }
    if (attempted.end == End::troubled) database_.failed(attempted.why);
    if (attempted.end == End::settled) database_.worked();
    return told(command, std::move(attempted));
}

store::Connection* Worker::again_on_same_server() {
    const std::string server = database_.server();
    auto* connection = database_.ready();
    // Another server may not have got what this one has committed.
    return connection != nullptr && database_.server() == server ? connection : nullptr;
}

Answer Worker::settled(const PreparedCommand& command, Attempted attempted, store::Connection* connection,
                       Milliseconds time) {
    attempted.answer = connection != nullptr
                           ? settle(command, std::move(attempted.answer), *connection, time)
                           : Answer{.kind = Answer::Kind::unavailable,
                                    .why = "the database did not say whether it was done: look it up"};
    return told(command, std::move(attempted));
}

Answer Worker::told(const PreparedCommand& command, Attempted attempted) {
    if (!attempted.why.empty())
        shared_.around.log.write_routine("command_failed",
                                         {{"command", command.definition().name}, {"reason", attempted.why}});
    return std::move(attempted.answer);
}

std::expected<Standing, std::string> Worker::look_up(const crypto::Digest& key) {
    for (int tries = 0; tries < most_tries; ++tries) {
        auto* connection = database_.ready();
        if (connection == nullptr) break;
        const auto found = standing(key, *connection);
        if (found) return *found;
        // A session that was to read what is not committed must not go on as if it did not.
        if (connection->alive()) database_.failed(connection->last_error().message);
    }
    return std::unexpected(no_database().why);
}

std::expected<std::map<crypto::Digest, store::KnownCommandKey>, std::string> Worker::known(
    std::span<const crypto::Digest> keys) {
    for (int tries = 0; tries < most_tries; ++tries) {
        auto* connection = database_.ready();
        if (connection == nullptr) break;
        auto found = store::find_command_keys(*connection, keys);
        if (found) return std::map<crypto::Digest, store::KnownCommandKey>{found->begin(), found->end()};
        if (connection->alive()) database_.failed(connection->last_error().message);
    }
    return std::unexpected(no_database().why);
}

Result<Standing> Worker::standing(const crypto::Digest& key, store::Connection& connection) const {
    using State = Standing::State;
    const auto known = store::find_command_key(connection, key);
    if (!known) return Failure{known.error()};
    if (*known && !(*known)->has_expired) {
        const auto& [fingerprint, response, failure, begun_at, expired] = **known;
        if (failure) return Standing{.state = State::failed, .since = begun_at, .why = *failure};
        if (!response) return Standing{.state = State::in_progress, .since = begun_at};
        return Standing{.state = State::done,
                        .since = begun_at,
                        .response = {response->status, response->content_type, response->body}};
    }
    if (const auto since = shared_.queue.since(key))
        return Standing{.state = State::in_progress, .since = *since};
    const auto open = store::open_command_key(connection, key);
    if (!open) return Failure{open.error()};
    if (*open) return Standing{.state = State::in_progress, .since = **open};
    const auto is_writable = store::check_writable(connection);
    return is_writable ? Result<Standing>{Standing{}} : Failure{is_writable.error()};
}

}  // namespace sluice::command
