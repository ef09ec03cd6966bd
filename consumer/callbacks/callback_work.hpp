#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/callbacks/anomaly_watch.hpp"
#include "consumer/callbacks/callback_rows.hpp"
#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// Writes the callbacks of one log into MySQL, over one connection: first the rows of many records, then,
/// when others can see them, what is strange about them together with the offsets. So of two processes that
/// write callbacks of one object the later one sees all. What a process that dies leaves is read again; rows
/// that are there stay one, and so do anomalies.
class CallbackWork final : public Work {
public:
    /// All but `writer` outlive it.
    CallbackWork(store::CallbackPlace::Log log, OffsetWriter writer, Partitions& partitions,
                 Process& process);

    /// What it counts is there from the start: an alarm needs its counter before the first one.
    static void export_counters(Metrics& metrics);

    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    void take(Items items) override;
    [[nodiscard]] bool round() override;  ///< one transaction
    [[nodiscard]] SteadyTime next_look() const override;
    /// Writes the applied offsets.
    void finish() override { (void)checked_.write_rest(); }

private:
    [[nodiscard]] std::vector<const Record*> next_records() const;
    [[nodiscard]] CallbackRows read(std::span<const Record* const> records);
    [[nodiscard]] Result<void> write_rows(store::Connection& connection, CallbackRows& rows);
    [[nodiscard]] Result<void> settle(store::Connection& connection, const CallbackRows& rows,
                                      const std::vector<Coordinates>& places);
    [[nodiscard]] Result<void> write_offsets(store::Connection& connection,
                                             const std::vector<AnomalyWatch::Found>& found,
                                             const std::vector<Coordinates>& places);
    [[nodiscard]] bool failed(store::Connection& connection, std::error_code error, std::size_t records);
    [[nodiscard]] bool leave_out_of_first(store::Connection& connection);
    void not_looked_for(const Coordinates& place);
    void refused(const Record& record, const store::CallbackEntry& entry, std::string_view why);
    void forget_stale();

    const store::CallbackPlace::Log log_;
    const webhook::SourceSet& sources_;
    const Clock& clock_;
    Log& lines_;
    Partitions& partitions_;
    Random random_;
    Database database_;
    CheckedDatabase checked_;
    AnomalyWatch anomalies_;
    Counter& recorded_;
    Counter& foreign_;
    Counter& refused_;
    std::deque<Record> waiting_;
    std::size_t at_once_;  // records; fewer after a transaction that did not go through
    OwnFailures own_failures_;
    int failed_looks_ = 0;  // in a row, of one record alone
    std::optional<SteadyTime> again_at_;
    std::uint64_t seen_changes_ = 0;
};

}  // namespace sluice::consumer
