#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "common/config/settings/connections.hpp"
#include "consumer/database/database.hpp"
#include "consumer/group/worker_queue.hpp"
#include "consumer/lane/run/command_handler.hpp"
#include "consumer/lane/run/visit.hpp"
#include "consumer/retry_role/retry_offsets.hpp"

namespace sluice::consumer {

/// One thread with one MySQL connection that visits the lanes whose keys fall to it, a record at a time. The
/// poll thread offers records, pauses it for a rebalance and stops it; everything else is its own.
class RetryWorker {
public:
    /// `commands` may be null where none is ever offered. All but it and `name` outlive the object.
    RetryWorker(const std::string& name, const LaneContext& context, RetryOffsets& offsets,
                const config::MysqlSettings& mysql, std::unique_ptr<CommandHandler> commands, Log& log);
    ~RetryWorker();  ///< stop() if not done yet

    void offer(Touch touch) { queue_.offer(std::move(touch)); }
    [[nodiscard]] bool in_trouble() const noexcept { return database_.in_trouble(); }

    /// Takes up no record until `resume`; true once no visit is under way, false at `deadline`.
    [[nodiscard]] bool quiesce(SteadyTime deadline) { return queue_.close(deadline); }
    void resume() { queue_.open(); }
    /// Finishes the visit under way, ends the thread.
    void stop();
    void ask_stop() { thread_.request_stop(); }  ///< so that several can be stopped at once

private:
    struct Waiting {
        Touch touch;
        SteadyTime not_before{};
        int times = 0;  ///< put behind the others
    };

    void run(const std::stop_token& stop);
    [[nodiscard]] bool work();  ///< one record; false: nothing to do now
    [[nodiscard]] std::optional<Waiting> take_next();
    void put_off(Waiting waiting);
    void hold_later_commands(const Touch& touch);
    void no_longer_put_off(const Touch& touch);
    [[nodiscard]] bool is_behind_a_command(const Touch& touch) const;
    [[nodiscard]] Visited handle(store::Connection& connection, const Touch& touch);
    void absorb();
    void forget_stale();
    void idle();
    [[nodiscard]] SteadyTime next_look() const;

    const Clock& clock_;
    const Rules& rules_;
    RetryOffsets& offsets_;
    Random random_;
    Database database_;
    LaneVisit visit_;
    std::unique_ptr<CommandHandler> commands_;
    std::deque<Waiting> waiting_;
    // Offsets of commands that are put off, by object: later ones of that object wait for them.
    std::map<std::string, std::int64_t, std::less<>> put_off_;
    std::string trouble_;  // why the last visit failed
    std::uint64_t seen_changes_ = 0;
    WorkerQueue<Touch> queue_{[this](const Touch& touch) { return offsets_.is_current(touch); }};
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
