#pragma once

#include <atomic>

namespace sluice::command {

/// One of the requests that an executor has, for as long as it has it.
class InFlight {
public:
    InFlight(std::atomic<int>& all, int most)
        : all_{all}, is_one_too_many_{all.fetch_add(1, std::memory_order_relaxed) >= most} {}
    ~InFlight() { all_.fetch_sub(1, std::memory_order_relaxed); }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    [[nodiscard]] bool is_one_too_many() const noexcept { return is_one_too_many_; }

private:
    std::atomic<int>& all_;
    bool is_one_too_many_;
};

}  // namespace sluice::command
