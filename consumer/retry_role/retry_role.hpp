#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "consumer/callbacks/callback_recorder.hpp"
#include "consumer/command/execute/authenticity.hpp"
#include "consumer/command/execute/authority.hpp"
#include "consumer/process/effects_guard.hpp"
#include "consumer/process/process.hpp"
#include "consumer/process/side_reader.hpp"
#include "consumer/process/topic_guard.hpp"
#include "consumer/retry_role/lane_work.hpp"
#include "consumer/retry_role/retry_loop.hpp"
#include "consumer/retry_role/sweeper.hpp"

namespace sluice::consumer {

/// The retry role between its start and its end, in the order that drain undoes; the twin of MainRole.
///
/// Start: database, topics, workers, group, sweeper. Drain: stop polling, each worker and the sweeper
/// finish their visit, finished offsets are stored and committed, the group is left.
class RetryRole final : public Role {
public:
    /// `sources` with their keys: what an operator has run again is verified again. `operators`: who may give
    /// commands.
    RetryRole(Process& process, webhook::SourceSet sources, command::Operators operators);

    [[nodiscard]] int run(const std::stop_token& stop) override;
    [[nodiscard]] bool alive() const override;

private:
    [[nodiscard]] LaneContext lane_context() const;
    void start_workers(const kafka::TopicFacts& commands);
    void start_quarantine(const std::string& topic_id);
    [[nodiscard]] int serve(const std::stop_token& stop, const TopicGuard& guard,
                            const EffectsGuard& effects);
    void drain();

    Process& process_;
    const webhook::SourceSet sources_;
    const std::unique_ptr<Originals> originals_;
    const Authenticity authenticity_;
    const command::Operators operators_;
    std::optional<Authority> authority_;
    const std::vector<RetryTopic> topics_;
    Partitions partitions_{Partitions::StoredOnce::finished};
    RetryLoop loop_;
    SideReader quarantine_;
    std::optional<CallbackRecorder> callbacks_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::optional<Sweeper> sweeper_;
    std::atomic<bool> polling_ = false;
};

}  // namespace sluice::consumer
