#pragma once

#include <thread>

#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker_queue.hpp"
#include "consumer/main_role/backlog.hpp"
#include "consumer/main_role/batch.hpp"
#include "consumer/main_role/single_event_run.hpp"
#include "consumer/main_role/tries.hpp"
#include "consumer/record/record_taker.hpp"

namespace sluice::consumer {

/// One thread with one MySQL connection that applies the events of the objects whose keys fall to it.
/// The poll thread offers records, pauses it for a rebalance and stops it; everything else is its own.
class Worker final : public RecordTaker {
public:
    struct Settings {
        std::string name;
        std::size_t batch = 300;
    };

    Worker(Settings settings, const WorkerContext& context, const config::MysqlSettings& mysql,
           ClaimantName claimant, Log& log);
    ~Worker() override;  ///< stop() if not done yet

    void offer(Record record) override { queue_.offer(std::move(record)); }
    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    [[nodiscard]] bool quiesce(SteadyTime deadline) override { return queue_.close(deadline); }
    void resume() override { queue_.open(); }
    /// Finishes the transaction under way, claims what is finished, ends the thread.
    void stop();
    void ask_stop() { thread_.request_stop(); }  ///< so that several can be stopped at once

private:
    void run(const std::stop_token& stop);
    [[nodiscard]] bool work();                         ///< one round; false: nothing to do now
    [[nodiscard]] bool probe(const Session& session);  ///< one event, to see whether anything succeeds
    [[nodiscard]] bool work_alone(const Session& session);
    void absorb();
    void forget_stale();
    void claim_rest();
    [[nodiscard]] bool look_at_held(store::Connection& connection);
    [[nodiscard]] SteadyTime next_look() const;

    Settings settings_;
    WorkerContext context_;
    Random random_;
    Database database_;
    CheckedDatabase checked_;
    SingleEventRun single_;
    Batch batch_;
    Backlog backlog_;
    Tries tries_;
    std::string trouble_;  // why the last round failed
    LockPatience locks_;
    std::uint64_t seen_changes_ = 0;
    bool is_shut_ = false;  // the breaker lets nothing through: nothing is due
    WorkerQueue<Record> queue_{
        [this](const Record& record) { return context_.partitions.is_current(record.at); }};
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
