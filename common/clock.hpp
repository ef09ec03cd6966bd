#pragma once

#include <chrono>

namespace sluice {

using WallTime = std::chrono::sys_time<std::chrono::microseconds>;
using SteadyTime = std::chrono::steady_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

/// The only source of time. Decisions take a time point as an argument; the code that does the I/O
/// around them holds a Clock. Thread-safe.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual WallTime wall() const = 0;      ///< for what people and providers see
    [[nodiscard]] virtual SteadyTime steady() const = 0;  ///< for deadlines and backoff
};

/// The machine's clocks.
class SystemClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace sluice
