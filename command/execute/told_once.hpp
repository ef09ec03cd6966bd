#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace sluice::command {

/// A caller who is told once, by whoever is first: a worker, or the deadline. Thread-safe.
template <class Said>
class ToldOnce {
public:
    explicit ToldOnce(std::function<void(Said)> tell) : tell_{std::move(tell)} {}

    /// False: something was said before.
    bool tell(Said said) {
        if (is_told_.exchange(true)) return false;
        tell_(std::move(said));
        return true;
    }

private:
    std::function<void(Said)> tell_;
    std::atomic<bool> is_told_ = false;
};

}  // namespace sluice::command
