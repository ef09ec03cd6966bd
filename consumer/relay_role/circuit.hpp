#pragma once

#include <span>
#include <string>

#include "common/backoff.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// Whether a destination is in trouble: out of reach, or five messages in a row that it did not take now (one
/// alone may be the message's own doing). It rests then, and one message at a time shows whether it works
/// again. Pure; one thread's.
class Circuit {
public:
    static constexpr int most_late = 5;

    /// True when it opened or stays open; `why` says what the destination did then.
    [[nodiscard]] bool is_open_after(std::span<const Sent> answers);
    /// No message was tried or put off: nothing is known of the destination any more.
    void forget() { *this = {}; }
    [[nodiscard]] bool is_open() const noexcept { return failures_ > 0; }
    [[nodiscard]] const std::string& why() const noexcept { return why_; }
    /// While it is open: 200 ms at first, ten seconds at most.
    [[nodiscard]] Milliseconds rest(Random& random) const;

private:
    int late_in_row_ = 0;
    int failures_ = 0;  ///< calls in a row that left it open
    std::string why_;
};

}  // namespace sluice::consumer
