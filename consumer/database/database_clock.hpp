#pragma once

#include <atomic>
#include <cstdint>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// The time by which events wait. It is MySQL's, since other processes read the times that this one writes.
/// Between two reads it follows the machine's steady clock, so that a wall clock that is wrong or stepped
/// delays nothing. Before the first read it is the machine's time. Thread-safe.
class DatabaseClock final : public Clock {
public:
    explicit DatabaseClock(const Clock& machine) : machine_{machine} {}  ///< outlives it

    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] SteadyTime steady() const override { return machine_.steady(); }

    /// Asks the server what time it is. Outside a transaction.
    [[nodiscard]] Result<void> look(store::Connection& connection);
    /// The server said `servers`, and its answer was here at `at`. The clock lags by what the answer took: it
    /// is never ahead of the server.
    void set(WallTime servers, SteadyTime at) noexcept;

private:
    static constexpr std::int64_t unknown = INT64_MIN;

    const Clock& machine_;
    std::atomic<std::int64_t> ahead_{unknown};  // microseconds from the steady clock to MySQL's
};

}  // namespace sluice::consumer
