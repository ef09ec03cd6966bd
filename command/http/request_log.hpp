#pragma once

#include <map>
#include <string>
#include <string_view>

#include "command/http/callers.hpp"
#include "command/http/reply.hpp"
#include "command/http/reply_counters.hpp"
#include "command/request/request.hpp"
#include "common/clock.hpp"
#include "common/network/address.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/trace/tracer.hpp"

namespace sluice::command {

/// What is known of a request when its reply is decided; what is not known is empty. Never a body, a
/// signature or a secret. A key is none of these: without a signature it opens nothing.
struct RequestFacts {
    std::string_view method{};  ///< of an authentic request
    bool is_tls = false;
    std::string_view caller{};  ///< its name
    std::string_view named{};   ///< not authentic, and says to be this caller's
    const Key* key = nullptr;   ///< once it is known
    const trace::Context* trace = nullptr;
    network::Address client{};
    SteadyTime::duration took{};
};

/// One JSON line, one count and one span for each request. Thread-safe.
class RequestLog {
public:
    /// All outlive it.
    RequestLog(Log& log, Metrics& metrics, trace::Tracer& tracer);

    /// Shows a zero for each caller before it is refused for the first time.
    void know(const CallerSet& callers);
    /// Whether the trace of an authentic request is kept.
    void decide(trace::Context& trace) const noexcept { tracer_.decide(trace); }
    void replied(const Reply& reply, const RequestFacts& facts, WallTime now);

private:
    void count(const Reply& reply, const RequestFacts& facts);
    Counter& not_authenticated(std::string_view named);
    void write(const Reply& reply, const RequestFacts& facts);
    void tell(const Reply& reply, const RequestFacts& facts, WallTime now);

    Log& log_;
    Metrics& metrics_;
    trace::Tracer& tracer_;
    ReplyCounters replies_;
    std::map<std::string_view, Counter*> refused_;  // by reason; complete from the start
};

}  // namespace sluice::command
