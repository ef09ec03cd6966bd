#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "consumer/group/worker_queue.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/record/record_taker.hpp"

namespace sluice::consumer {

/// What a worker does with its records: the role's part of it. On the worker's thread, but for `in_trouble`
/// and `prepare`.
class Work {
public:
    virtual ~Work() = default;

    /// Nothing can be done for want of a database. Any thread.
    [[nodiscard]] virtual bool in_trouble() const noexcept = 0;
    /// What can be learned of a record alone, on the poll thread, while the worker waits for its database.
    virtual void prepare(Item&) const {}
    /// New records. Partitions may be given back before `round`.
    virtual void take(Items items) = 0;
    /// Some of them. False: there is nothing to do before `next_look`.
    [[nodiscard]] virtual bool round() = 0;
    [[nodiscard]] virtual SteadyTime next_look() const = 0;
    /// No round follows.
    virtual void finish() {}
};

/// One thread that works on the records whose keys fall to it. The poll thread offers records, pauses it for
/// a rebalance and stops it; everything else is its own.
class Worker final : public RecordTaker {
public:
    /// `partitions` outlives it. `thread`: what the thread is called.
    Worker(std::string thread, const Partitions& partitions, std::unique_ptr<Work> work);
    ~Worker() override;  ///< stop() if not done yet

    void offer(Items items) override;
    [[nodiscard]] bool in_trouble() const noexcept override { return work_->in_trouble(); }
    [[nodiscard]] bool quiesce(SteadyTime deadline) override { return queue_.close(deadline); }
    void resume() override { queue_.open(); }
    /// Finishes the round under way, ends the thread.
    void stop();
    void ask_stop() { thread_.request_stop(); }  ///< so that several can be stopped at once

private:
    void run(const std::stop_token& stop);

    const std::string name_;
    std::unique_ptr<Work> work_;
    WorkerQueue<Item> queue_;
    std::jthread thread_;  // last: starts when all else is there
};

/// A role's workers as its group member takes them; they outlive the result.
[[nodiscard]] std::vector<RecordTaker*> takers_of(const std::vector<std::unique_ptr<Worker>>& workers);

}  // namespace sluice::consumer
