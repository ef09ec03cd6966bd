#pragma once

#include <functional>

#include "common/clock.hpp"

namespace sluice::ingress {

/// What a shutdown does to the rest of the program.
class Drainage {
public:
    virtual ~Drainage() = default;
    virtual void refuse_traffic() = 0;                          ///< readiness false; still serving
    virtual void serve_for(Milliseconds time) = 0;              ///< as before, but connections end
    virtual void stop_accepting() = 0;                          ///< no new connections, idle ones end
    [[nodiscard]] virtual bool is_quiet() = 0;                  ///< no connection is left
    virtual void cut() = 0;                                     ///< end what is left
    [[nodiscard]] virtual bool flush(Milliseconds within) = 0;  ///< everything published has its report
    virtual void wait(Milliseconds time) = 0;
};

struct DrainTimes {
    Milliseconds delay;   ///< between readiness going false and the last new connection
    Milliseconds within;  ///< for requests and producer after that
};

/// The order in which the ingress shuts down, within the grace period of the process that stopped it:
///   1. readiness goes false; requests are served for `delay`, while load balancers notice, and each answer
///      ends its connection: clients leave one by one instead of all at once at the end
///   2. no new connections; requests in progress finish, inside four fifths of `within`
///   3. what is left is cut
///   4. the producer flushes, until nine tenths of `within` are over
/// The rest is for the caller, who destroys the producer, then the server with its io_contexts. True when
/// nothing was cut and everything was flushed.
[[nodiscard]] bool drain(Drainage& drainage, const DrainTimes& times, const Clock& clock);

}  // namespace sluice::ingress
