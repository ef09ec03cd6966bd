#pragma once

#include <chrono>

namespace sluice {

/// SIGTERM and SIGINT as something to wait for, SIGHUP as something to notice. Construct it in
/// main before any thread starts: it blocks the signals in the thread, which later threads inherit,
/// and reads them from a signalfd. SIGPIPE is ignored.
class StopSignal {
public:
    enum class Event { none, reload, stop };

    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    /// Waits at most `timeout` for the next signal.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    int descriptor_ = -1;
};

}  // namespace sluice
