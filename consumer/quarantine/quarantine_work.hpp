#pragma once

#include <string>

#include "common/config/settings/connections.hpp"
#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/lane/run/waiting_records.hpp"
#include "consumer/quarantine/quarantine.hpp"

namespace sluice::consumer {

/// Makes entries of the requests in quarantine, over one MySQL connection, and writes their offsets as the
/// main role does: a fail-over to a copy of MySQL that lacks an entry reads its record again.
class QuarantineWork final : public Work {
public:
    /// All but `writer` outlive it.
    QuarantineWork(OffsetWriter writer, const LaneContext& context, Partitions& partitions,
                   const config::MysqlSettings& mysql, Log& log, Metrics& metrics);

    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    void take(Items items) override;
    [[nodiscard]] bool round() override;  ///< one record
    [[nodiscard]] SteadyTime next_look() const override { return database_.next_look(waiting_.next_due()); }
    /// Writes the applied offsets.
    void finish() override { write_rest(); }

private:
    [[nodiscard]] bool settle(store::Connection& connection, WaitingRecords::Waiting waiting);
    void forget_stale();
    void write_rest();

    const Clock& clock_;
    Partitions& partitions_;
    Random random_;
    Database database_;
    CheckedDatabase checked_;
    Quarantine quarantine_;
    WaitingRecords waiting_{random_};
    int unwritten_ = 0;    // settled since the last write
    std::string trouble_;  // why the last record failed
    std::uint64_t seen_changes_ = 0;
};

}  // namespace sluice::consumer
