#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// A session as its server knows it (CONNECTION_ID()).
using SessionId = std::uint64_t;

/// Ends statements that take longer than they may, on the server: MySQL has no time limit for statements that
/// change rows, and a client that merely hangs up leaves a thread behind that goes on, with all its locks.
/// One thread with its own session, opened when there is something to end. Thread-safe; outlives the
/// connections that it watches.
class StatementWatch {
public:
    /// All outlive it.
    StatementWatch(const config::MysqlSettings& mysql, const Clock& clock, Log& log);
    ~StatementWatch();
    StatementWatch(const StatementWatch&) = delete;
    StatementWatch& operator=(const StatementWatch&) = delete;

    /// A statement of `session` is about to be sent. Unanswered at `until` it is ended, as soon as the server
    /// can be reached, which is tried every second.
    void begin(SessionId session, SteadyTime until);
    enum class Ended {
        no,
        yes,
        /// A KILL was sent and may or may not have arrived: it may hit what the session runs next, so the
        /// session is of no use any more.
        maybe,
    };
    /// It is answered. Whether it was ended; waits for a KILL that is under way, which would hit the
    /// session's next statement.
    [[nodiscard]] Ended end(SessionId session);

    /// No caller waits for an answer of `session` any more: it is ended with all that it does, as soon as the
    /// server can be reached. A thousand of them at most are kept in mind. (A server that was restarted
    /// meanwhile may have given the number to another session of the same account, which then begins its
    /// transaction again.)
    void abandon(SessionId session);

    [[nodiscard]] SteadyTime now() const { return clock_.steady(); }

private:
    enum class State { runs, is_being_ended, was_ended, cannot_be_ended };
    enum class Said { nothing, refused, done };
    struct Running {
        SteadyTime until;
        State state = State::runs;
        bool is_in_doubt = false;  // a KILL was not answered, even if later ones were
    };
    using Lock = std::unique_lock<std::mutex>;

    void run(const std::stop_token& stop);
    void wait(Lock& lock, const std::stop_token& stop);
    void end_overdue(Lock& lock);
    void end_abandoned(Lock& lock);
    [[nodiscard]] std::optional<SessionId> first_overdue(SteadyTime time) const;
    /// Without the lock: it may take long, and no caller is to wait for that.
    [[nodiscard]] bool is_connected();
    /// What the server made of it; `nothing`: not known. Without the lock too.
    [[nodiscard]] Said say(const std::string& command);
    [[nodiscard]] Said say_here(const std::string& command);
    void put_off() { not_before_ = clock_.steady() + std::chrono::seconds{1}; }

    const config::MysqlSettings& mysql_;
    const Clock& clock_;
    Log& log_;
    std::unique_ptr<Connection> connection_;  // of the thread
    bool is_away_ = false;                    // said already; of the thread
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable settled_;  // a KILL is answered
    std::map<SessionId, Running> running_;
    std::deque<SessionId> abandoned_;
    SteadyTime wakes_at_{};
    SteadyTime not_before_{};  // the server could not be reached
    bool is_nudged_ = false;   // there is something sooner than `wakes_at_`
    std::jthread thread_;      // last: starts when all else is there
};

}  // namespace sluice::store
