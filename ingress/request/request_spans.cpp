#include "ingress/request/request_spans.hpp"

#include <charconv>

#include "common/crypto/random.hpp"
#include "common/trace/conventions.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t span_id_bytes = 8;

bool is_told_always(Outcome outcome) {
    return outcome != Outcome::accepted && outcome != Outcome::duplicate &&
           outcome != Outcome::refused_signature && outcome != Outcome::limited &&
           outcome != Outcome::too_large;
}

std::string_view error_of(Outcome outcome) {
    return is_told_always(outcome) ? name_of(outcome) : std::string_view{};
}

/// Of "HTTP/1.1 200 OK…".
std::int64_t status_of(std::string_view answer) {
    constexpr std::size_t status_at = 9;
    constexpr std::size_t digits = 3;
    std::int64_t status = 0;
    if (answer.size() < status_at + digits) return status;
    std::from_chars(answer.data() + status_at, answer.data() + status_at + digits, status);
    return status;
}

std::string_view id_of(const webhook::Extracted* event) {
    return event == nullptr ? std::string_view{} : event->headers.event_id;
}

std::string_view type_of(const webhook::Extracted* event) {
    return event == nullptr ? std::string_view{} : event->headers.type;
}

trace::Attribute::Value count_of(std::size_t items) {
    if (items == 0) return {};
    return static_cast<std::int64_t>(items);
}

}  // namespace

namespace key = trace::key;

/// One request while it is reported: its own id, and steady times converted to wall time.
struct RequestSpans::Telling {
    const RequestFacts& facts;
    WallTime now;
    std::string request_id = crypto::random_hex(span_id_bytes);

    [[nodiscard]] WallTime at(SteadyTime time) const {
        return now - std::chrono::duration_cast<std::chrono::microseconds>(facts.whole.ended - time);
    }
    [[nodiscard]] trace::SpanName name(std::string_view span_id) const {
        return {facts.trace.trace_id(), span_id};
    }
};

RequestSpans::RequestSpans(trace::Tracer& tracer, const config::KafkaSettings& kafka)
    : tracer_{tracer}, topic_{kafka.topic}, quarantine_topic_{kafka.quarantine_topic} {}

bool RequestSpans::wants(const trace::Context& context, Outcome outcome) const noexcept {
    return tracer_.is_on() && (context.sampled() || is_told_always(outcome));
}

void RequestSpans::tell(const RequestFacts& facts, WallTime now) {
    const Telling telling{facts, now};
    tell_request(telling);
    if (facts.claimed.was_taken()) tell_claim(telling);
    if (facts.published.was_taken()) tell_publish(telling);
}

void RequestSpans::tell_request(const Telling& telling) {
    const RequestFacts& facts = telling.facts;
    tracer_.tell({.name = std::string{facts.method}.append(" ").append(facts.route),
                  .kind = trace::Kind::server,
                  .self = telling.name(telling.request_id),
                  .parent_id = facts.trace.parent_id(),
                  .sampled = facts.trace.sampled(),
                  .began = telling.at(facts.whole.began),
                  .ended = telling.now,
                  .error = error_of(facts.outcome),
                  .attributes = {{key::http_method, facts.method},
                                 {key::http_route, facts.route},
                                 {key::http_status, status_of(facts.answer)},
                                 {key::url_scheme, facts.is_tls ? "https" : "http"},
                                 {key::source, facts.source},
                                 {key::outcome, name_of(facts.outcome)},
                                 {key::reason, facts.reason},
                                 {key::event_id, id_of(facts.event)},
                                 {key::event_type, type_of(facts.event)}}});
}

void RequestSpans::tell_claim(const Telling& telling) {
    const RequestFacts& facts = telling.facts;
    const std::string id = crypto::random_hex(span_id_bytes);
    tracer_.tell(
        {.name = "claim",
         .kind = trace::Kind::client,
         .self = telling.name(id),
         .parent_id = telling.request_id,
         .sampled = facts.trace.sampled(),
         .began = telling.at(facts.claimed.began),
         .ended = telling.at(facts.claimed.ended),
         .attributes = {{key::db_system, "redis"}, {key::db_operation, "SET"}, {key::claim, facts.claim}}});
}

void RequestSpans::tell_publish(const Telling& telling) {
    const RequestFacts& facts = telling.facts;
    const bool is_quarantined = facts.outcome == Outcome::quarantined;
    const std::string_view topic = is_quarantined ? quarantine_topic_ : topic_;
    tracer_.tell({.name = std::string{"send "}.append(topic),
                  .kind = trace::Kind::producer,
                  .self = telling.name(facts.trace.span_id()),
                  .parent_id = telling.request_id,
                  .sampled = facts.trace.sampled(),
                  .began = telling.at(facts.published.began),
                  .ended = telling.at(facts.published.ended),
                  .error = is_quarantined ? std::string_view{} : error_of(facts.outcome),
                  .attributes = {{key::messaging_system, "kafka"},
                                 {key::messaging_operation, "send"},
                                 {key::messaging_operation_type, "send"},
                                 {key::messaging_destination, topic},
                                 {key::messaging_batch, count_of(facts.items)}}});
}

}  // namespace sluice::ingress
