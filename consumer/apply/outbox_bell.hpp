#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

#include "common/clock.hpp"

namespace sluice::consumer {

/// Rung after a commit of messages, so that a relay of this process sends them before its next look. A hint:
/// messages of other processes are found by looking. Thread-safe.
class OutboxBell {
public:
    void ring();
    /// How often it was rung. Read before a look: what is committed after it rings once more.
    [[nodiscard]] std::uint64_t rings() const;
    /// Returns when `most` has passed, or once it was rung since `seen` and `least` has passed; at once when
    /// a stop is asked for.
    void wait(const std::stop_token& stop, std::uint64_t seen, Milliseconds least, Milliseconds most);

private:
    mutable std::mutex mutex_;
    std::condition_variable_any rung_;
    std::uint64_t rings_ = 0;
};

}  // namespace sluice::consumer
