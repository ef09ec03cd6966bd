#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/database/database.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/lane/run/command_handler.hpp"
#include "consumer/lane/run/visit.hpp"
#include "consumer/lane/run/waiting_records.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/retry_role/retry_topic.hpp"

namespace sluice::consumer {

/// The retry role's work: visits the lanes whose keys fall to a worker and carries out commands, a record at
/// a time, over one MySQL connection.
class LaneWork final : public Work {
public:
    /// `topics`: of the records that are taken. `commands` may be null where none of them has commands. All
    /// but it and `name` outlive the object.
    LaneWork(const std::string& name, const std::vector<RetryTopic>& topics, const LaneContext& context,
             Partitions& partitions, const config::MysqlSettings& mysql,
             std::unique_ptr<CommandHandler> commands, Log& log);

    [[nodiscard]] bool in_trouble() const noexcept override { return database_.in_trouble(); }
    void take(Items items) override;
    [[nodiscard]] bool round() override;  ///< one record
    [[nodiscard]] SteadyTime next_look() const override { return database_.next_look(waiting_.next_due()); }

private:
    [[nodiscard]] store::Connection* ready();
    [[nodiscard]] std::optional<WaitingRecords::Waiting> take_next();
    void hold_later_commands(const Record& record);
    void no_longer_put_off(const Record& record);
    [[nodiscard]] bool is_command(const Record& record) const;
    [[nodiscard]] bool is_behind_a_command(const Record& record) const;
    [[nodiscard]] Visited handle(store::Connection& connection, const Record& record);
    void forget_stale();
    void idle();

    const Clock& clock_;
    const Rules& rules_;
    const std::vector<RetryTopic>& topics_;
    Partitions& partitions_;
    Random random_;
    Database database_;
    LaneVisit visit_;
    std::unique_ptr<CommandHandler> commands_;
    WaitingRecords waiting_;
    // Offsets of commands that are put off, by object: later ones of that object wait for them.
    std::map<std::string, std::int64_t, std::less<>> put_off_;
    std::string trouble_;  // why the last visit failed
    std::uint64_t seen_changes_ = 0;
};

}  // namespace sluice::consumer
