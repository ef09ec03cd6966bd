#pragma once

#include <string>
#include <string_view>

#include "common/clock.hpp"

namespace sluice::trace {

/// What became of one request.
struct Sent {
    enum class Kind {
        taken,
        again,    ///< not reachable, no answer in time, or overloaded: the same may be accepted later
        refused,  ///< it never will be
    };
    Kind kind = Kind::taken;
    std::string reason{};  ///< of the others; a sentence without span data
};

/// Where spans go.
class Collector {
public:
    virtual ~Collector() = default;
    /// Returns within `within`, or soon after `hurry`. One thread.
    [[nodiscard]] virtual Sent send(std::string_view body, Milliseconds within) = 0;
    /// The send under way, and each one after it, ends at `within` from now at the latest. Any thread.
    virtual void hurry(Milliseconds within) = 0;
};

}  // namespace sluice::trace
