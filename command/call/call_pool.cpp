#include "command/call/call_pool.hpp"

#include <chrono>
#include <utility>

#include "common/thread_name.hpp"

namespace sluice::command {
namespace {

constexpr std::chrono::milliseconds between_looks{500};

}  // namespace

CallPool::CallPool(int threads, std::size_t most, const MakeWork& make) : most_{most} {
    for (int i = 0; i < threads; ++i) works_.push_back(make());
    for (const auto& work : works_) threads_.emplace_back([this, &work = *work] { run(work); });
}

void CallPool::close() {
    std::deque<Job> left;
    {
        const std::lock_guard lock{mutex_};
        is_closed_ = true;
        left.swap(waiting_);
    }
    wake_.notify_all();
    for (const Job& job : left) job.turn_away();
}

bool CallPool::push(Job& job) {
    const std::lock_guard lock{mutex_};
    if (is_closed_ || waiting_.size() >= most_) return false;
    waiting_.push_back(std::move(job));
    return true;
}

void CallPool::add(Job job) {
    if (!push(job)) return job.turn_away();
    wake_.notify_one();
}

void CallPool::run(CallWork& work) {
    name_this_thread("command-call");
    std::unique_lock lock{mutex_};
    for (;;) {
        const bool is_woken =
            wake_.wait_for(lock, between_looks, [this] { return is_closed_ || !waiting_.empty(); });
        if (!is_woken) {
            lock.unlock();
            work.idle();
            lock.lock();
            continue;
        }
        if (waiting_.empty()) return;
        const Job job = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        job.work(work);
        lock.lock();
    }
}

}  // namespace sluice::command
