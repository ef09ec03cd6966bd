#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <format>

namespace sluice::bench {

/// What a sender of so many messages takes, from the first twentieth on: what comes before is starting.
class SendingWindow {
public:
    explicit SendingWindow(std::uint64_t messages) : messages_{messages} {}

    void sent() {
        if (++done_ == messages_ / 20) began_ = Clock::now(), used_ = processor_microseconds();
    }
    [[nodiscard]] bool is_over() const noexcept { return done_ >= messages_; }
    /// Of this process, as JSON on standard output.
    void print() const {
        const double seconds = std::chrono::duration<double>{Clock::now() - began_}.count();
        const auto counted = static_cast<double>(messages_ - messages_ / 20);
        const auto used = static_cast<double>(processor_microseconds() - used_);
        std::puts(std::format(R"({{"messages": {}, "per_second": {:.1f}, "cpu_us": {:.3f}}})", done_,
                              counted / seconds, used / counted)
                      .c_str());
    }

private:
    using Clock = std::chrono::steady_clock;

    static std::int64_t processor_microseconds() {
        timespec used{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        return used.tv_sec * 1'000'000 + used.tv_nsec / 1000;
    }

    std::uint64_t messages_;
    std::uint64_t done_ = 0;
    Clock::time_point began_ = Clock::now();
    std::int64_t used_ = 0;
};

}  // namespace sluice::bench
