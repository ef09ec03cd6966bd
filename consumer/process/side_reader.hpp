#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "consumer/group/log_reader.hpp"
#include "consumer/group/worker.hpp"
#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// A topic that a role reads beside its own, as the main role reads its one: applied offsets, seek-backs,
/// alarms of gaps. What is lost there is lost: no sweeper makes it again. A member of its group with its own
/// poll thread, and one worker.
class SideReader {
public:
    using MakeWork = std::function<std::unique_ptr<Work>(Partitions&)>;

    /// Throws config::Refused where the Kafka settings cannot be used. `process` outlives it.
    SideReader(Process& process, const LogReader::Settings& settings);
    ~SideReader();  ///< stop() if not done yet

    /// For questions about the topic, before `start` too.
    [[nodiscard]] rd_kafka_t& client() noexcept { return loop_.client(); }

    /// Joins the group. `work` is called once; what it makes may keep the partitions.
    void start(const MakeWork& work);
    /// Finishes what is under way, stores what is applied, leaves the group.
    void stop();

    /// Only a new process can go on; the log says why. Any thread.
    [[nodiscard]] bool has_failed() const noexcept { return failed_; }
    /// When its poll thread last turned; nothing before `start`. Any thread.
    [[nodiscard]] std::optional<SteadyTime> last_turn() const;

private:
    void run(const std::stop_token& stop);

    Process& process_;
    const std::string name_;
    Partitions partitions_;
    LogReader loop_;
    std::optional<Worker> worker_;
    std::atomic<bool> polling_ = false;
    std::atomic<bool> failed_ = false;
    std::jthread thread_;
};

}  // namespace sluice::consumer
