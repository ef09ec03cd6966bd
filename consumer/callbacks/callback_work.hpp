#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/callbacks/callback_rows.hpp"
#include "consumer/database/checked_database.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// Writes the callbacks of one log into MySQL, over one connection: the rows of many records and the offsets
/// up to which they are written in one transaction. What a process that dies leaves unwritten is read again,
/// and what it had written stays one row.
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
    [[nodiscard]] Result<void> write(store::Connection& connection, CallbackRows& rows,
                                     const std::vector<Coordinates>& places);
    [[nodiscard]] bool failed(store::Connection& connection, std::error_code error, std::size_t records);
    void leave_out_first(std::string_view why);
    void forget_stale();

    const store::CallbackPlace::Log log_;
    const webhook::SourceSet& sources_;
    const Clock& clock_;
    Log& lines_;
    Partitions& partitions_;
    Random random_;
    Database database_;
    CheckedDatabase checked_;
    Counter& recorded_;
    Counter& foreign_;
    Counter& refused_;
    std::deque<Record> waiting_;
    std::size_t alone_ = 0;  // of the next records, each gets a transaction of its own
    OwnFailures own_failures_;
    std::optional<SteadyTime> again_at_;
    std::uint64_t seen_changes_ = 0;
};

}  // namespace sluice::consumer
