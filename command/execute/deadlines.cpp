#include "command/execute/deadlines.hpp"

#include <utility>

#include "common/thread_name.hpp"

namespace sluice::command {

Deadlines::Deadlines(const Clock& clock)
    : clock_{clock}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void Deadlines::at(SteadyTime time, std::function<void()> what) {
    const std::lock_guard lock{mutex_};
    const auto placed = waiting_.emplace(time, std::move(what));
    if (placed == waiting_.begin()) wake_.notify_one();
}

void Deadlines::run(const std::stop_token& stop) {
    name_this_thread("deadlines");
    std::unique_lock lock{mutex_};
    while (!stop.stop_requested()) {
        if (waiting_.empty()) {
            wake_.wait(lock, stop, [this] { return !waiting_.empty(); });
            continue;
        }
        const SteadyTime first = waiting_.begin()->first;
        const SteadyTime now = clock_.steady();
        if (first > now) {
            const auto is_sooner = [&] { return waiting_.begin()->first < first; };
            wake_.wait_for(lock, stop, first - now, is_sooner);
            continue;
        }
        const auto due = waiting_.extract(waiting_.begin());
        lock.unlock();
        due.mapped()();
        lock.lock();
    }
}

}  // namespace sluice::command
