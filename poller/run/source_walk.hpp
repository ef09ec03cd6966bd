#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/readiness.hpp"
#include "poller/pace/tries.hpp"
#include "poller/run/account.hpp"
#include "poller/run/checkpoints.hpp"
#include "poller/run/page_outlet.hpp"
#include "poller/run/page_reader.hpp"
#include "poller/telemetry/walk_metrics.hpp"
#include "poller/walk/walk.hpp"

namespace sluice::poller {

/// What all walks of the process share. All outlive them.
struct Surroundings {
    const config::MysqlSettings& mysql;
    outlet::Outlet& outlet;
    Log& log;
    Metrics& metrics;
    Readiness& readiness;
    const Clock& clock;
};

/// Walks one source's list as long as the lease is ours: asks for pages, brings their events to Kafka, and
/// only then moves the checkpoint. One thread runs it; `last_turn` and `leads` are for others.
class SourceWalk {
public:
    /// `account` outlives it.
    SourceWalk(const PollSettings& poll, Account& account, const Surroundings& around);

    enum class Until : std::uint8_t { stopped, caught_up };
    enum class End : std::uint8_t { stopped, caught_up, in_trouble };
    /// Walks until a stop is asked for, or until there is nothing new. The latter ends `in_trouble` where
    /// requests fail after all retries, where no retry mends what the walk stands before, and where another
    /// process has had the lease for a whole lease time.
    [[nodiscard]] End run(const std::stop_token& stop, Until until);
    /// When it last took a step or looked at whether to.
    [[nodiscard]] SteadyTime last_turn() const noexcept { return last_turn_.load(); }
    /// Whether this process walks the source now.
    [[nodiscard]] bool leads() const noexcept { return leads_.load(); }

private:
    enum class Step : std::uint8_t { go_on, rest, lease_lost, give_up, stop };

    [[nodiscard]] Checkpoint first() const;
    [[nodiscard]] End lead_or_stand_by(const std::stop_token& stop);
    [[nodiscard]] std::optional<End> walk(const std::stop_token& stop);
    [[nodiscard]] Step step(Walk& walk, const std::stop_token& stop);
    [[nodiscard]] Step took(Walk& walk, const ReadPage& read, const std::stop_token& stop);
    [[nodiscard]] Step failed(Walk& walk, const Ask& ask, const NoPage& why, const std::stop_token& stop);
    [[nodiscard]] Step not_kept(bool never, const std::stop_token& stop);
    [[nodiscard]] Step place_unknown(Walk& walk, bool by_token, const std::stop_token& stop);
    void ask_early(const Walk& walk);
    [[nodiscard]] Step move(Walk& walk);
    [[nodiscard]] Step round_over(const Walk& walk);
    /// Waits and keeps the lease meanwhile.
    [[nodiscard]] Step pause(Milliseconds time, const std::stop_token& stop);
    [[nodiscard]] Step wait_for_budget(const std::stop_token& stop);
    [[nodiscard]] Step keep_lease();

    void began(const Checkpoint& from);
    void not_walking(Checkpoints::Held held);
    void in_trouble(const std::string& why, bool is_halted);
    void worked();
    void show_gap();

    const PollSettings& poll_;
    Account& account_;
    const Surroundings& around_;
    WalkMetrics metrics_;
    const std::string concern_;  // of readiness
    Checkpoints checkpoints_;
    PageReader reader_;
    PageOutlet publisher_;
    Tries tries_;
    Random random_;
    Until until_ = Until::stopped;
    int not_kept_ = 0;  // pages in a row that Kafka did not take
    bool is_in_trouble_ = false;
    bool is_stuck_ = false;
    std::string said_;  // the last reason for not walking
    std::atomic<SteadyTime> last_turn_;
    std::atomic<bool> leads_ = false;
};

}  // namespace sluice::poller
