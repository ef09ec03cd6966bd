#include "command/call/call_work.hpp"

#include <algorithm>
#include <utility>

#include "command/call/meaning.hpp"
#include "command/key/key_of.hpp"
#include "command/record/begin.hpp"
#include "command/record/rules.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/random.hpp"
#include "common/failpoint.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;

constexpr std::size_t random_bytes = 16;
constexpr std::size_t batch = 64;
constexpr std::size_t most_looked_at = 256;
constexpr Milliseconds between_tries{200};

Answer not_recorded() {
    return {.kind = Kind::unavailable, .why = "the record of calls is not available: look it up"};
}

Answer not_known_yet() {
    return {.kind = Kind::goes_on, .why = "the service that executes it has not said what became of it"};
}

std::string_view name_of(CallEnd::State state) {
    if (state == CallEnd::State::done) return "done";
    return state == CallEnd::State::failed ? "not_executed" : "not_known";
}

std::string reason_of(const Exchanged& exchanged) {
    return exchanged.how == Exchanged::How::answered ? "status " + std::to_string(exchanged.response.status)
                                                     : exchanged.why;
}

}  // namespace

CallWork::CallWork(const CallSurroundings& around, std::unique_ptr<CallRecord> record)
    : around_{around},
      call_{*around.definition.call},
      record_{std::move(record)},
      service_{around.definition.name, call_, around.keys, around.clock} {}

Answer CallWork::execute(const Request& request) {
    // Before the record's lease begins, so that this one is over no later.
    const SteadyTime until = around_.clock.steady() + call_.lease;
    const NewCall fresh{.request = request,
                        .claim = {.key = digest_of(request.key), .owner = crypto::random_hex(random_bytes)},
                        .lease = call_.lease};
    auto begun = begin(*record_, fresh);
    if (!begun) return not_recorded();
    if (begun->as == Begun::As::told) return std::move(begun->answer);
    (void)FP("command.call_recorded");
    Claim claim = std::move(begun->claim);
    const Told told =
        begun->as == Begun::As::call ? call(claim, request, until) : ask(claim, request.traceparent);
    return finished(claim, told, request, until);
}

CallWork::Told CallWork::call(Claim& claim, const Request& request, SteadyTime until) {
    if (around_.stop.stop_requested())
        return CallEnd{.state = CallEnd::State::failed, .why = "the program ends, and it was not sent"};
    // Somebody else may be asking what became of it.
    if (around_.clock.steady() >= until - call_.within)
        return CallEnd{.state = CallEnd::State::failed, .why = "it took too long to begin"};
    (void)FP("command.before_call");
    const Exchanged exchanged = service_.call(claim, request);
    (void)FP("command.call_sent");
    if (exchanged.how == Exchanged::How::not_sent) say(claim, "call_not_sent", exchanged);
    if (auto end = meaning_of(exchanged, call_)) return end;
    say(claim, "call_unknown", exchanged);
    return next_then_ask(claim, request);
}

void CallWork::say(const Claim& claim, std::string_view decision, const Exchanged& exchanged) {
    around_.log.write_routine(decision, {{"command", around_.definition.name},
                                         {"idempotency_key", crypto::to_hex(claim.key)},
                                         {"reason", reason_of(exchanged)}});
}

/// A service that keeps the highest fence of a key refuses the call itself if that is still on its way.
CallWork::Told CallWork::next_then_ask(Claim& claim, const Request& request) {
    if (!call_.query) return nobody_knows();
    if (around_.stop.stop_requested()) return std::nullopt;
    const auto advanced = record_->advance(claim, call_.lease);
    if (!advanced || !*advanced) return std::nullopt;
    ++claim.fence;
    return ask(claim, request.traceparent);
}

CallWork::Told CallWork::ask(const Claim& claim, std::string_view traceparent) {
    if (!call_.query) return nobody_knows();
    if (around_.stop.stop_requested()) return std::nullopt;
    auto end = meaning_of(service_.ask(claim, traceparent), *call_.query);
    (void)FP("command.call_asked");
    if (!end) around_.metrics.unanswered().Increment();
    return end;
}

Answer CallWork::finished(const Claim& claim, const Told& told, const Request& request, SteadyTime until) {
    if (!told) return answer_so_far(request);
    const auto written = finish(claim, *told, until);
    if (!written) return not_recorded();
    (void)FP("command.call_settled");
    return *written ? answer_from(*told) : answer_of_another(claim, request);
}

/// Another one may know by now.
Answer CallWork::answer_so_far(const Request& request) {
    const auto found = record_->find(digest_of(request.key));
    const bool has_ended = found && *found && (*found)->end;
    return has_ended ? answer_from(**found, request.fingerprint) : not_known_yet();
}

CallRecord::Recorded<bool> CallWork::finish(const Claim& claim, const CallEnd& end, SteadyTime until) {
    const auto written = write(claim, end, until);
    if (written)
        count(claim, end, *written);
    else
        say_not_recorded(claim, end, written.error());
    return written;
}

/// As long as the lease is ours: nobody but us knows the response. What was not written may have been by a
/// try that nobody confirmed.
CallRecord::Recorded<bool> CallWork::write(const Claim& claim, const CallEnd& end, SteadyTime until) {
    auto written = record_->finish(claim, end, around_.definition.keep);
    while (!written && around_.clock.steady() < until && wait_or_stop(around_.stop, between_tries))
        written = record_->finish(claim, end, around_.definition.keep);
    if (!written || *written) return written;
    return record_->find(claim.key).and_then([&](const auto& found) -> CallRecord::Recorded<bool> {
        if (!found) return std::unexpected{"the record has forgotten the call"};
        return found->claim == claim && found->end.has_value();
    });
}

void CallWork::say_not_recorded(const Claim& claim, const CallEnd& end, const std::string& why) {
    const std::int64_t status = end.state == CallEnd::State::done ? end.response.status : 0;
    around_.log.error("call_not_recorded", {{"command", around_.definition.name},
                                            {"idempotency_key", crypto::to_hex(claim.key)},
                                            {"result", name_of(end.state)},
                                            {"status", status},
                                            {"reason", why}});
}

void CallWork::count(const Claim& claim, const CallEnd& end, bool is_ours) {
    using State = CallEnd::State;
    CallMetrics& metrics = around_.metrics;
    if (!is_ours) return metrics.fenced().Increment();
    if (end.state == State::done) return metrics.done().Increment();
    if (end.state == State::failed) return metrics.not_executed().Increment();
    metrics.not_known().Increment();
    around_.log.error("call_given_up",
                      {{"command", around_.definition.name}, {"idempotency_key", crypto::to_hex(claim.key)}});
}

Answer CallWork::answer_of_another(const Claim& claim, const Request& request) {
    const auto found = record_->find(claim.key);
    return found && *found ? answer_from(**found, request.fingerprint) : not_recorded();
}

std::expected<Standing, std::string> CallWork::look_up(const crypto::Digest& key) {
    const auto found = record_->find(key);
    if (!found) return std::unexpected{"the record of calls is not available"};
    return standing_of(*found);
}

void CallWork::settle_due() {
    const auto due = record_->due(batch);
    if (!due) return;
    for (const Claim& one : *due)
        if (around_.stop.stop_requested() || !settle_one(one)) return;
}

void CallWork::show_open() {
    if (const auto age = record_->oldest_age(most_looked_at)) around_.metrics.oldest(*age);
    if (const auto calls = record_->given_up(most_looked_at)) around_.metrics.given_up(*calls);
}

bool CallWork::settle_one(const Claim& due) {
    const SteadyTime until = around_.clock.steady() + call_.lease;
    Claim claim{.key = due.key, .owner = crypto::random_hex(random_bytes), .fence = due.fence + 1};
    const auto taken = record_->take_over(due, claim.owner, call_.lease);
    if (!taken) return false;
    if (!*taken) return true;
    (void)FP("command.call_taken_over");
    const Told told = ask(claim, "");
    return told && finish(claim, *told, until);
}

}  // namespace sluice::command
