#include "command/execute/job_queue.hpp"

#include <algorithm>
#include <utility>

namespace sluice::command {

bool JobQueue::push(Job& job) {
    {
        const std::lock_guard lock{mutex_};
        if (is_closed_ || waiting_.size() >= most_) return false;
        waiting_.push_back(std::move(job));
    }
    wake_.notify_one();
    return true;
}

std::deque<Job>::iterator JobQueue::next() {
    const auto may_go = [this](const Job& job) { return !job.key || !at_work_.contains(*job.key); };
    return std::ranges::find_if(waiting_, may_go);
}

std::optional<Job> JobQueue::pop(SteadyTime now, SteadyTime until) {
    std::unique_lock lock{mutex_};
    const auto is_answered = [this] { return is_closed_ || next() != waiting_.end(); };
    if (!wake_.wait_for(lock, until - now, is_answered) || is_closed_) return std::nullopt;
    const auto found = next();
    Job job = std::move(*found);
    waiting_.erase(found);
    if (job.key) at_work_.emplace(*job.key, job.since);
    return job;
}

std::vector<Job> JobQueue::pop_shareable(std::size_t most) {
    std::vector<Job> taken;
    const std::lock_guard lock{mutex_};
    const auto is_for_it = [&](const Job& job) {
        return taken.size() < most && job.shareable && job.key && !at_work_.contains(*job.key);
    };
    const auto take = [&](Job& job) {
        if (!is_for_it(job)) return false;
        at_work_.emplace(*job.key, job.since);
        taken.push_back(std::move(job));
        return true;
    };
    std::deque<Job> left;
    for (Job& job : waiting_)
        if (!take(job)) left.push_back(std::move(job));
    waiting_ = std::move(left);
    return taken;
}

bool JobQueue::put_back_alone(std::vector<Job>& jobs) {
    {
        const std::lock_guard lock{mutex_};
        if (is_closed_) return false;
        for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
            if (job->key) at_work_.erase(*job->key);
            job->shareable.reset();
            waiting_.push_front(std::move(*job));
        }
    }
    jobs.clear();
    wake_.notify_all();
    return true;
}

void JobQueue::ended(const Job& job) {
    if (!job.key) return;
    {
        const std::lock_guard lock{mutex_};
        at_work_.erase(*job.key);
    }
    wake_.notify_one();
}

std::optional<WallTime> JobQueue::since(const crypto::Digest& key) const {
    const std::lock_guard lock{mutex_};
    if (const auto found = at_work_.find(key); found != at_work_.end()) return found->second;
    const auto found = std::ranges::find(waiting_, key, &Job::key);
    return found == waiting_.end() ? std::nullopt : std::optional{found->since};
}

std::size_t JobQueue::waiting() const {
    const std::lock_guard lock{mutex_};
    return waiting_.size();
}

bool JobQueue::is_closed() const {
    const std::lock_guard lock{mutex_};
    return is_closed_;
}

void JobQueue::close() {
    std::deque<Job> left;
    {
        const std::lock_guard lock{mutex_};
        is_closed_ = true;
        left.swap(waiting_);
    }
    wake_.notify_all();
    for (const Job& job : left) job.turn_away();
}

}  // namespace sluice::command
