#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "command/request/answer.hpp"
#include "common/clock.hpp"
#include "common/crypto/digest.hpp"

namespace sluice::command {

class Worker;
struct Definition;
struct Request;

/// A command that may share a transaction with others. What it points to lives as long as its job.
struct Shareable {
    const Definition* definition = nullptr;
    const Request* request = nullptr;
    std::function<void(Answer)> tell;
};

/// What a worker shall do.
struct Job {
    std::optional<crypto::Digest> key{};  ///< jobs of one key follow each other
    WallTime since{};                     ///< when it came
    std::function<void(Worker&)> work;
    std::function<void()> turn_away;       ///< in place of `work`, when the queue closes
    std::optional<Shareable> shareable{};  ///< nullopt: it goes alone
};

/// Jobs that wait for a worker, a bounded number. A second job of a key waits here until the first has ended,
/// and holds no worker meanwhile. Thread-safe.
class JobQueue {
public:
    explicit JobQueue(std::size_t most) : most_{most} {}

    /// False: it is full or closed, and `job` stays with the caller.
    [[nodiscard]] bool push(Job& job);
    /// The next one whose key nobody works at; nullopt: none until `until`, or the queue is closed. `ended`
    /// comes after its work.
    [[nodiscard]] std::optional<Job> pop(SteadyTime now, SteadyTime until);
    void ended(const Job& job);
    /// At most `most` more jobs that can be shared, each of another key that nobody works at: those that wait
    /// now. As `pop` for each.
    [[nodiscard]] std::vector<Job> pop_shareable(std::size_t most);
    /// Jobs that were taken and must go alone, each before all that waits. False: the queue is closed, and
    /// they stay with the caller.
    [[nodiscard]] bool put_back_alone(std::vector<Job>& jobs);

    /// When the first job of this key came that waits or is at work; nullopt: there is none.
    [[nodiscard]] std::optional<WallTime> since(const crypto::Digest& key) const;
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] bool is_closed() const;

    /// Takes nothing more, and turns away what waits.
    void close();

private:
    [[nodiscard]] std::deque<Job>::iterator next();

    const std::size_t most_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> waiting_;
    std::map<crypto::Digest, WallTime> at_work_;
    bool is_closed_ = false;
};

}  // namespace sluice::command
