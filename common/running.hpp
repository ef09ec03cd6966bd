#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/thread_name.hpp"

namespace sluice {

/// Work on a thread of its own, which ends by itself or when it is asked to; destroyed, it is asked and
/// waited for. What it throws is kept for whoever asks for its result.
template <class Result>
class Running {
public:
    Running(const char* name, std::function<Result(const std::stop_token&)> work)
        : work_{std::move(work)}, thread_{[this, name](const std::stop_token& stop) {
              name_this_thread(name);
              try {
                  result_ = work_(stop);
              } catch (...) {
                  thrown_ = std::current_exception();
              }
              ended_ = true;
          }} {}

    void ask_stop() { thread_.request_stop(); }
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }
    [[nodiscard]] bool has_thrown() const noexcept { return ended_ && thrown_; }
    /// Only after it has ended; rethrows what it has thrown.
    [[nodiscard]] Result result() const {
        if (thrown_) std::rethrow_exception(thrown_);
        return *result_;
    }

private:
    std::function<Result(const std::stop_token&)> work_;
    std::optional<Result> result_;
    std::exception_ptr thrown_;
    std::atomic<bool> ended_ = false;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice
