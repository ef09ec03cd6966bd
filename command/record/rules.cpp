#include "command/record/rules.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;
using State = CallEnd::State;

bool is_new_key(const KnownCall& known) {
    return known.end && known.is_due;
}

Kind kind_of(State state) {
    if (state == State::done) return Kind::executed;
    return state == State::failed ? Kind::not_executed : Kind::not_known;
}

}  // namespace

Step step_for(const std::optional<KnownCall>& known, const crypto::Digest& fingerprint) {
    if (!known) return Step::insert;
    if (is_new_key(*known)) return Step::restart;
    if (known->fingerprint != fingerprint) return Step::tell;
    if (!known->end) return known->is_due ? Step::take_over : Step::tell;
    return known->end->state == State::failed ? Step::restart : Step::tell;
}

Answer answer_from(const CallEnd& end) {
    return {.kind = kind_of(end.state), .response = end.response, .why = end.why};
}

Answer answer_from(const KnownCall& known, const crypto::Digest& fingerprint) {
    if (known.fingerprint != fingerprint)
        return {.kind = Kind::mismatch, .why = "the key was used for another request"};
    if (!known.end) return {.kind = Kind::in_progress, .why = "an earlier one is at work"};
    Answer answer = answer_from(*known.end);
    if (answer.kind == Kind::executed) answer.kind = Kind::replayed;
    return answer;
}

Standing standing_of(const std::optional<KnownCall>& known) {
    if (!known || is_new_key(*known)) return {};
    if (!known->end) return {.state = Standing::State::in_progress, .since = known->begun_at};
    if (known->end->state == State::done)
        return {.state = Standing::State::done, .since = known->begun_at, .response = known->end->response};
    return {.state = Standing::State::failed,
            .since = known->begun_at,
            .is_retryable = known->end->state == State::failed,
            .why = known->end->why};
}

Standing standing_while_held(const Standing& standing, std::optional<WallTime> held_since) {
    using Is = Standing::State;
    const bool may_change =
        standing.state == Is::absent || (standing.state == Is::failed && standing.is_retryable);
    if (!held_since || !may_change) return standing;
    return {.state = Is::in_progress, .since = *held_since};
}

}  // namespace sluice::command
