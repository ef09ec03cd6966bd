#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <utility>

#include "common/clock.hpp"

namespace sluice::consumer {

/// Between the poll thread and one worker: what is offered, and the gate that keeps the worker still while
/// partitions are given back.
template <class Work>
class WorkerQueue {
public:
    /// `is_current` tells, on the worker's thread, whether work is of a partition that is still ours and was
    /// not sought back since.
    explicit WorkerQueue(std::function<bool(const Work&)> is_current) : is_current_{std::move(is_current)} {}

    // Poll thread.
    void offer(std::list<Work> work) {
        const std::lock_guard lock{mutex_};
        const bool was_empty = offered_.empty();
        offered_.splice(offered_.end(), work);
        if (was_empty && !offered_.empty()) wake_.notify_one();
    }
    /// Nothing is begun until `open`; true once nothing is under way, false at `deadline`.
    [[nodiscard]] bool close(SteadyTime deadline) {
        std::unique_lock lock{mutex_};
        closed_ = true;
        return quiet_.wait_until(lock, deadline, [&] { return !working_; });
    }
    void open() {
        const std::lock_guard lock{mutex_};
        closed_ = false;
        wake_.notify_one();
    }

    // The worker.
    /// What was offered and is still current. Stale work may come after its worker has dropped the events
    /// before it: it would run without them.
    [[nodiscard]] std::list<Work> take() {
        std::list<Work> taken;
        {
            const std::lock_guard lock{mutex_};
            taken.swap(offered_);
        }
        std::erase_if(taken, [this](const Work& work) { return !is_current_(work); });
        return taken;
    }
    /// Waits until work may begin; false after a stop.
    [[nodiscard]] bool begin(const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        wake_.wait(lock, stop, [&] { return !closed_; });
        working_ = !stop.stop_requested();
        return working_;
    }
    void end() {
        {
            const std::lock_guard lock{mutex_};
            working_ = false;
        }
        quiet_.notify_all();
    }
    /// Until something is offered, or `until`, or a stop.
    void wait(const std::stop_token& stop, SteadyTime until) {
        std::unique_lock lock{mutex_};
        wake_.wait_until(lock, stop, until, [&] { return !offered_.empty(); });
    }

private:
    std::function<bool(const Work&)> is_current_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable quiet_;
    std::list<Work> offered_;
    bool closed_ = false;
    bool working_ = false;
};

}  // namespace sluice::consumer
