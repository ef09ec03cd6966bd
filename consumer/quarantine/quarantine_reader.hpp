#pragma once

#include <atomic>
#include <optional>
#include <thread>

#include "consumer/group/log_reader.hpp"
#include "consumer/process/process.hpp"
#include "consumer/quarantine/quarantine_work.hpp"

namespace sluice::consumer {

/// Reads the topic of the requests that the ingress could not read, as the main role reads its own: applied
/// offsets, seek-backs, alarms of gaps. What is lost there is lost: no sweeper makes it again. A member of
/// the retry role's group beside RetryLoop, with its own poll thread.
class QuarantineReader {
public:
    /// Throws config::Refused where the Kafka settings cannot be used. `process` outlives it.
    explicit QuarantineReader(Process& process);
    ~QuarantineReader();  ///< stop() if not done yet

    /// Joins the group. `context` outlives the object; `topic_id`: of the topic as it is now.
    void start(const LaneContext& context, const std::string& topic_id);
    /// Finishes the record under way, stores what is applied, leaves the group.
    void stop();

    /// Only a new process can go on; the log says why. Any thread.
    [[nodiscard]] bool has_failed() const noexcept { return failed_; }
    /// When its poll thread last turned; nothing before `start`. Any thread.
    [[nodiscard]] std::optional<SteadyTime> last_turn() const;

private:
    void run(const std::stop_token& stop);

    Process& process_;
    Partitions partitions_;
    LogReader loop_;
    std::optional<Worker> worker_;
    std::atomic<bool> polling_ = false;
    std::atomic<bool> failed_ = false;
    std::jthread thread_;
};

}  // namespace sluice::consumer
