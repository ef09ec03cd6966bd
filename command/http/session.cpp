#include "command/http/session.hpp"

#include "command/http/admission.hpp"
#include "command/http/answers.hpp"
#include "command/http/problem.hpp"
#include "command/http/told.hpp"
#include "common/record/header_names.hpp"

namespace sluice::command {
namespace {

/// How long a look-up waits for MySQL.
constexpr std::chrono::seconds look_up_within{1};
constexpr std::string_view challenge = "WWW-Authenticate: StandardWebhooks\r\n";

}  // namespace

/// The life of a command. What `execute` returns with a stored response was committed before.
Session::Task<Reply> Session::take_request() {
    const auto head = co_await read_head();
    if (!head) co_return stopped(head.error());
    now_.head_size = *head;
    now_.began = shard_.common.clock.steady();
    const Gated<Target> target = pass_gate();
    if (!target) co_return target.error();
    const Gated<void> body = co_await read_body();
    if (!body) co_return body.error();
    now_.received_at = shard_.common.clock.steady();
    Gated<Key> key = authenticate(*target);
    if (!key) co_return std::move(key.error());
    now_.key = *std::move(key);

    const InFlight in_flight{shard_.common.in_flight, shard_.common.bounds.max_in_flight};
    if (in_flight.is_one_too_many()) co_return reply_to(Problem::busy, "Nothing was executed.", retry_soon);
    if (target->key) co_return co_await look_up();
    co_return co_await execute();
}

Session::Gated<Target> Session::pass_gate() {
    const std::string_view bytes = buffer_->bytes().substr(0, now_.head_size);
    gate::Head& head = buffer_->head;
    if (const auto read = gate::read_head(bytes, head); !read) return std::unexpected{reply_to(read.error())};
    return admit(head, shard_.common.bounds.max_body);
}

/// A connection may live for longer than its certificate.
const connection::PeerCertificate* Session::certificate_at(WallTime now) const {
    return certificate_ && now < certificate_->ends ? &*certificate_ : nullptr;
}

/// Who asks, and for which key. Nobody learns which commands there are without a signature.
Session::Gated<Key> Session::authenticate(const Target& target) {
    const gate::Head& head = buffer_->head;
    const webhook::Request request{head.method, head.target, head.fields(), buffer_->body};
    const WallTime now = shard_.common.clock.wall();
    const Callers::Claim claim{gate::only_value(head, caller_header), certificate_at(now)};
    now_.callers = shard_.callers;
    now_.caller = now_.callers->authenticate(claim, request, now, shard_.scratch);
    if (now_.caller == nullptr) {
        now_.named = now_.callers->claimed_by(claim);
        return std::unexpected{reply_to(Problem::not_authenticated, "", challenge)};
    }
    // What goes on is well-formed, whatever the caller sent: it has to fit where it is stored.
    now_.trace = trace::continue_trace(gate::only_value(head, record::header::traceparent),
                                       gate::only_value(head, record::header::tracestate));
    shard_.common.requests.decide(now_.trace);
    now_.last = !head.keep_alive || requests_ >= shard_.common.listen.max_requests_per_connection;
    return key_asked_for(target, now_.caller->principal, head, now_.body, shard_.common.commands);
}

Session::Task<Reply> Session::execute() {
    const auto fingerprint = shard_.common.commands.fingerprint(now_.key->command, now_.body);
    if (!fingerprint) co_return reply_to(Problem::refused, fingerprint.error());
    const Gated<void> kept = keep_limits();
    if (!kept) co_return kept.error();
    const Answer answer = co_await answer_to(*fingerprint);
    co_return reply_to(answer, *now_.key);
}

/// Of the account and of the caller. Whether the key is known already costs a question to the database, and
/// who is over a limit must cost nothing: so it is not asked.
Session::Gated<void> Session::keep_limits() {
    const Key& key = *now_.key;
    auto account = shard_.common.commands.account(key.command, key.caller, now_.body);
    if (!account) return std::unexpected{reply_to(Problem::refused, account.error())};
    std::vector<metering::Metered> all;
    for (const auto& limit : {*account, now_.caller->limit})
        if (limit) all.push_back(*limit);
    const auto wait = shard_.common.meters.take(all, now_.received_at);
    if (!wait) return {};
    return std::unexpected{reply_to(Problem::limited,
                                    "Nothing was executed now. Send the same request again later.",
                                    retry_after(*wait))};
}

Session::Task<Answer> Session::answer_to(const crypto::Digest& fingerprint) {
    const Key& key = *now_.key;
    Request request{.key = key,
                    .fingerprint = fingerprint,
                    .body = std::string{now_.body},
                    .traceparent = std::string{now_.trace.traceparent()},
                    .received_at = now_.received_at,
                    .answer_by = now_.received_at + shard_.common.commands.wait(key.command)};
    auto ask = [&executor = shard_.common.executor, request = std::move(request)](
                   Executor::Done done) mutable { executor.execute(std::move(request), std::move(done)); };
    return told<Answer>(shard_.io, std::move(ask));
}

Session::Task<Reply> Session::look_up() {
    const Found found = co_await standing();
    if (!found) co_return reply_to(Problem::unavailable, found.error(), retry_soon);
    co_return reply_to(*found);
}

Session::Task<Session::Found> Session::standing() {
    auto ask = [&executor = shard_.common.executor, key = *now_.key,
                answer_by = now_.received_at + look_up_within](Executor::Found found) mutable {
        executor.look_up(std::move(key), answer_by, std::move(found));
    };
    return told<Found>(shard_.io, std::move(ask));
}

void Session::note(const Reply& reply) const {
    const Clock& clock = shard_.common.clock;
    const bool is_authentic = now_.caller != nullptr;
    const bool has_begun = now_.began != SteadyTime{};
    shard_.common.requests.replied(
        reply,
        {.method = is_authentic ? buffer_->head.method : std::string_view{},
         .is_tls = stream_.is_tls(),
         .caller = is_authentic ? std::string_view{now_.caller->name} : std::string_view{},
         .named = now_.named == nullptr ? std::string_view{} : std::string_view{now_.named->name},
         .key = now_.key ? &*now_.key : nullptr,
         .trace = is_authentic ? &now_.trace : nullptr,
         .client = stream_.peer(),
         .took = has_begun ? clock.steady() - now_.began : SteadyTime::duration{}},
        clock.wall());
}

Session::Task<bool> Session::answer(Reply reply) {
    if (reply.status == 0) co_return false;
    note(reply);
    const bool last = now_.last || shard_.ends_connections || shard_.draining;
    const auto after = last ? gate::After::close : gate::After::keep_open;
    const webhook::Answer shown{reply.status, std::move(reply.content_type), std::move(reply.body)};
    const std::string response = gate::raw_response(shown, reply.fields, after);
    gate::write_dated(buffer_->answer, response, shard_.date.at(shard_.common.clock.wall()));
    const Transfer transfer = co_await write(buffer_->answer);
    const bool written = end_write(transfer);
    if (written && last) co_await linger();
    co_return written && !last;
}

}  // namespace sluice::command
