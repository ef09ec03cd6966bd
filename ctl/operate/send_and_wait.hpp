#pragma once

#include <chrono>
#include <deque>

#include "common/config/settings/connections.hpp"
#include "common/stop_signal.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/cli/console.hpp"
#include "ctl/operate/command_pages.hpp"
#include "ctl/operate/command_sender.hpp"
#include "ctl/operate/pace.hpp"
#include "ctl/operate/progress.hpp"

namespace sluice::ctl {

struct SendLimits {
    double per_second = 50;
    std::int64_t stop_after = 10;   ///< events of the run that are dead again; 0: never
    std::chrono::seconds wait{30};  ///< for the next answer, after everything was sent
};

enum class Ending {
    answered,     ///< everything that was sent has its answer, and what it started was tried
    unanswered,   ///< the retry role has not reached it in time
    untried,      ///< answered, but its turn has not come in time, or the database is in trouble
    failures,     ///< too many are dead again: the rest was not sent
    interrupted,  ///< by a signal
};
[[nodiscard]] std::string_view name_of(Ending ending) noexcept;

/// Sends the commands of a run at a pace and follows what becomes of them. It only produces records: the
/// retry role carries them out, once each, so that an end at any point loses and repeats nothing. One thread.
class CommandRun {
public:
    CommandRun(store::Connection& connection, const config::MysqlSettings& settings, CommandSender& sender,
               StopSignal& signal, Console& console);

    /// Throws Stopped when a server goes.
    [[nodiscard]] Ending carry(const store::ActionId& run, const SendLimits& limits, CommandPages& pages,
                               std::int64_t total);
    [[nodiscard]] const Progress& progress() const noexcept { return progress_; }

private:
    /// What `page` and those after it ask for.
    [[nodiscard]] Ending send_and_follow(const store::ActionId& run, const SendLimits& limits,
                                         std::vector<Asked> page, CommandPages& pages, Pace& pace);
    [[nodiscard]] std::optional<Ending> send_page(const store::ActionId& run, const SendLimits& limits,
                                                  const std::vector<Asked>& page, Pace& pace);
    [[nodiscard]] std::vector<Asked> unanswered(std::vector<Asked> page);
    [[nodiscard]] bool send_one(const Asked& asked);
    /// Forgets what has its answer by now.
    void look_for_answers();
    struct OpenEnds {
        std::int64_t own = 0;     ///< commands without an answer, or else their events that were not tried
        std::int64_t behind = 0;  ///< events that are about to run behind them
        [[nodiscard]] bool none() const noexcept { return own == 0 && behind == 0; }
    };
    [[nodiscard]] OpenEnds open_ends(const store::ActionId& run);
    [[nodiscard]] Ending follow(const store::ActionId& run, const SendLimits& limits);
    [[nodiscard]] bool is_stopped_within(std::chrono::nanoseconds wait);
    void look(const store::ActionId& run);
    void look_now_and_then(const store::ActionId& run);
    void show();

    store::Connection& connection_;
    const config::MysqlSettings& settings_;
    CommandSender& sender_;
    StopSignal& signal_;
    Console& console_;
    Progress progress_;
    std::deque<store::ActionId> waiting_;  // sent and not yet answered, as far as was looked
    SteadyTime next_look_{};
};

}  // namespace sluice::ctl
