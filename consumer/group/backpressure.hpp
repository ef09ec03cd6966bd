#pragma once

#include <cstddef>

namespace sluice::consumer {

/// Whether to read on. Pausing throws away what the client has fetched ahead, so the marks lie far
/// apart. Pure.
class Backpressure {
public:
    explicit Backpressure(std::size_t most_bytes) : most_{most_bytes} {}

    enum class Step { none, pause, resume };

    /// `bytes`: records handed out and not finished; `trouble`: no worker can do anything now.
    [[nodiscard]] Step look(std::size_t bytes, bool trouble) noexcept {
        if (!paused_ && (trouble || bytes > most_)) {
            paused_ = true;
            return Step::pause;
        }
        if (paused_ && !trouble && bytes < most_ / 4) {
            paused_ = false;
            return Step::resume;
        }
        return Step::none;
    }
    /// A new assignment starts unpaused.
    void reassigned() noexcept { paused_ = false; }
    [[nodiscard]] bool paused() const noexcept { return paused_; }

private:
    std::size_t most_;
    bool paused_ = false;
};

}  // namespace sluice::consumer
