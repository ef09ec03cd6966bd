#pragma once

#include <deque>
#include <string>
#include <thread>

#include "common/config/settings/connections.hpp"
#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker_queue.hpp"
#include "consumer/quarantine/quarantine.hpp"
#include "consumer/record/record_taker.hpp"

namespace sluice::consumer {

/// The thread, with a MySQL connection, that makes entries of the requests in quarantine, and claims their
/// offsets as the main role does: a fail-over to a copy of MySQL that lacks an entry reads its record again.
/// The poll thread offers records, pauses it for a rebalance and stops it; everything else is its own.
class QuarantineWorker final : public RecordTaker {
public:
    /// All but `claimant` outlive it.
    QuarantineWorker(ClaimantName claimant, const LaneContext& context, Partitions& partitions,
                     const config::MysqlSettings& mysql, Log& log, Metrics& metrics);
    ~QuarantineWorker() override;  ///< stop() if not done yet

    void offer(Record record) override { queue_.offer(std::move(record)); }
    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    [[nodiscard]] bool quiesce(SteadyTime deadline) override { return queue_.close(deadline); }
    void resume() override { queue_.open(); }
    /// Finishes the record under way, claims what is finished, ends the thread.
    void stop();

private:
    struct Waiting {
        Record record;
        SteadyTime not_before{};
        int times = 0;  ///< put behind the others
    };

    void run(const std::stop_token& stop);
    [[nodiscard]] bool work();  ///< one record; false: nothing to do now
    [[nodiscard]] bool settle(store::Connection& connection, Waiting waiting);
    [[nodiscard]] std::optional<Waiting> take_next();
    void put_off(Waiting waiting);
    void absorb();
    void forget_stale();
    void claim_rest();
    [[nodiscard]] SteadyTime next_look() const;

    const Clock& clock_;
    Partitions& partitions_;
    Random random_;
    Database database_;
    CheckedDatabase checked_;
    Quarantine quarantine_;
    std::deque<Waiting> waiting_;
    int unclaimed_ = 0;    // settled since the last claim
    std::string trouble_;  // why the last record failed
    std::uint64_t seen_changes_ = 0;
    WorkerQueue<Record> queue_{[this](const Record& record) { return partitions_.is_current(record.at); }};
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
