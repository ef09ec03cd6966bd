#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/config/settings/connections.hpp"
#include "common/trace/context.hpp"
#include "common/trace/tracer.hpp"
#include "common/webhook/extract/extract.hpp"
#include "ingress/request/outcome_answer.hpp"

namespace sluice::ingress {

/// When a step of a request began and ended; neither: it was not taken.
struct Passage {
    SteadyTime began{};
    SteadyTime ended{};

    [[nodiscard]] bool was_taken() const noexcept { return ended != SteadyTime{}; }
};

/// A decided request as its spans report it. The views live until `tell` returns.
struct RequestFacts {
    const trace::Context& trace;
    Outcome outcome{};
    std::string_view method;
    std::string_view route;  ///< the source's path
    bool is_tls = false;
    std::string_view source;
    const webhook::Extracted* event = nullptr;
    std::string_view reason;
    std::string_view claim;
    std::string_view answer;  ///< its bytes
    Passage whole{};          ///< ended: now
    Passage claimed{};
    Passage published{};
    std::size_t items = 0;  ///< that were published, of a delivery with several events
};

/// The head of every trace: the request, its claim and its publish. The publish has the span id that the
/// record's `traceparent` names, so that later spans have it as their parent; the request has its own id.
/// Shared by all io_contexts; thread-safe.
class RequestSpans {
public:
    /// `tracer` outlives it.
    RequestSpans(trace::Tracer& tracer, const config::KafkaSettings& kafka);

    /// Whether the trace of an authentic request is kept.
    void decide(trace::Context& context) const noexcept { tracer_.decide(context); }
    /// Kept, or the outcome is one that is always reported: no success, or quarantine.
    [[nodiscard]] bool wants(const trace::Context& context, Outcome outcome) const noexcept;
    void tell(const RequestFacts& facts, WallTime now);

private:
    struct Telling;
    void tell_request(const Telling& telling);
    void tell_claim(const Telling& telling);
    void tell_publish(const Telling& telling);

    trace::Tracer& tracer_;
    std::string topic_;
    std::string quarantine_topic_;
};

}  // namespace sluice::ingress
