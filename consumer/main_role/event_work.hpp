#pragma once

#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/main_role/backlog.hpp"
#include "consumer/main_role/batch.hpp"
#include "consumer/main_role/single_event_run.hpp"
#include "consumer/main_role/tries.hpp"

namespace sluice::consumer {

/// The main role's work: applies the events of the objects whose keys fall to a worker, over one MySQL
/// connection.
class EventWork final : public Work {
public:
    /// `batch`: at most so many events in one transaction.
    EventWork(std::size_t batch, const WorkerContext& context, const config::MysqlSettings& mysql,
              OffsetWriter writer, Log& log);

    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    /// Decodes it.
    void prepare(Item& item) const override;
    void take(Items items) override;
    [[nodiscard]] bool round() override;
    [[nodiscard]] SteadyTime next_look() const override;
    /// Writes the applied offsets.
    void finish() override { write_rest(); }

private:
    [[nodiscard]] bool probe(const Session& session);  ///< one event, to see whether anything succeeds
    [[nodiscard]] bool work_alone(const Session& session);
    void forget_stale();
    void write_rest();
    [[nodiscard]] bool look_at_held(store::Connection& connection);

    const std::size_t most_;  // events in a transaction
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
};

}  // namespace sluice::consumer
