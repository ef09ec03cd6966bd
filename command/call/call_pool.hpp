#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "command/call/call_work.hpp"

namespace sluice::command {

/// Threads of one command's calls, each with a CallWork of its own, and what waits for them, a bounded
/// number. A service that hangs holds its own command's threads and no others. Thread-safe.
class CallPool {
public:
    using MakeWork = std::function<std::unique_ptr<CallWork>()>;
    struct Job {
        std::function<void(CallWork&)> work;
        std::function<void()> turn_away;  ///< in place of `work`; neither throws
    };

    CallPool(int threads, std::size_t most, const MakeWork& make);
    /// Closes, and waits until what has begun is finished.
    ~CallPool() { close(); }
    CallPool(const CallPool&) = delete;
    CallPool& operator=(const CallPool&) = delete;

    /// What is too much is turned away at once.
    void add(Job job);
    /// Takes nothing more, and turns away what waits. Does not wait.
    void close();

private:
    void run(CallWork& work);
    [[nodiscard]] bool push(Job& job);

    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> waiting_;
    bool is_closed_ = false;
    std::vector<std::unique_ptr<CallWork>> works_;
    std::vector<std::jthread> threads_;  // last: they use all else
};

}  // namespace sluice::command
