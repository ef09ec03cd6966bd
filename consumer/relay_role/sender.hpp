#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/outbox/outbox.hpp"

namespace sluice::consumer {

/// What became of a message at its destination.
struct Sent {
    enum class How {
        taken,
        refused,  ///< for good: this message, not others
        later,    ///< not now
        failed,   ///< the destination is out of reach: not the message's doing
        untried,  ///< the call or the process ended before: it may have it all the same
    };
    How how = How::taken;
    std::string why{};            ///< of refused, later and failed
    Milliseconds at_least_in{0};  ///< of later: as the destination asks

    [[nodiscard]] bool is_settled() const noexcept { return how == How::taken || how == How::refused; }
};

/// A destination. One thread's.
class Sender {
public:
    virtual ~Sender() = default;
    /// One answer for each message, of which each key has at most one. Blocking for `longest_call` at most,
    /// and for ten seconds at most once `stop` is requested.
    [[nodiscard]] virtual std::vector<Sent> send(std::span<const store::OutboxMessage* const> messages,
                                                 const std::stop_token& stop) = 0;
    [[nodiscard]] virtual Milliseconds longest_call() const = 0;
};

}  // namespace sluice::consumer
