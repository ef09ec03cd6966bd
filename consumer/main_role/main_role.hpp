#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "consumer/group/log_reader.hpp"
#include "consumer/main_role/event_work.hpp"
#include "consumer/process/effects_guard.hpp"
#include "consumer/process/housekeeping.hpp"
#include "consumer/process/process.hpp"
#include "consumer/process/topic_guard.hpp"
#include "consumer/silence/arrivals.hpp"

namespace sluice::consumer {

/// The main role between its start and its end, in the order that drain undoes.
///
/// Start: database, topic, workers, group. Drain: stop polling, each worker finishes its transaction and
/// writes the applied offsets, those are stored and committed, the group is left.
class MainRole final : public Role {
public:
    explicit MainRole(Process& process);

    [[nodiscard]] int run(const std::stop_token& stop) override;
    [[nodiscard]] bool alive() const override;

private:
    void start_workers(const kafka::TopicFacts& facts);
    [[nodiscard]] int serve(const std::stop_token& stop, const TopicGuard& topics,
                            const EffectsGuard& effects);
    void drain();

    Process& process_;
    Partitions partitions_;
    Arrivals arrivals_;
    LogReader poll_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<bool> polling_ = false;
};

}  // namespace sluice::consumer
