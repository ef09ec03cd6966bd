#include "consumer/store/driver/statement_watch.hpp"

#include <algorithm>
#include <utility>

#include "common/thread_name.hpp"
#include "consumer/store/driver/error.hpp"

namespace sluice::store {
namespace {

constexpr Patience of_the_watch{
    .read = std::chrono::seconds{5}, .write = std::chrono::seconds{5}, .lock_wait = std::chrono::seconds{1}};
constexpr std::chrono::minutes longest_sleep{10};
constexpr std::size_t most_abandoned = 1000;

}  // namespace

StatementWatch::StatementWatch(const config::MysqlSettings& mysql, const Clock& clock, Log& log)
    : mysql_{mysql}, clock_{clock}, log_{log}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

StatementWatch::~StatementWatch() = default;

void StatementWatch::begin(SessionId session, SteadyTime until) {
    const std::lock_guard lock{mutex_};
    running_.insert_or_assign(session, Running{.until = until});
    // The thread is left asleep until the first limit that it saw, though that statement is long answered:
    // one wakeup for each limit's length, and not one for each statement.
    if (until >= wakes_at_) return;
    is_nudged_ = true;
    wake_.notify_one();
}

StatementWatch::Ended StatementWatch::end(SessionId session) {
    Lock lock{mutex_};
    const auto at = running_.find(session);
    if (at == running_.end()) return Ended::no;
    settled_.wait(lock, [&] { return at->second.state != State::is_being_ended; });
    const Running running = at->second;
    running_.erase(at);
    if (running.is_in_doubt) return Ended::maybe;
    return running.state == State::was_ended ? Ended::yes : Ended::no;
}

void StatementWatch::abandon(SessionId session) {
    const std::lock_guard lock{mutex_};
    if (abandoned_.size() >= most_abandoned) abandoned_.pop_front();
    abandoned_.push_back(session);
    is_nudged_ = true;
    wake_.notify_one();
}

void StatementWatch::run(const std::stop_token& stop) {
    name_this_thread("statement-watch");
    Lock lock{mutex_};
    while (!stop.stop_requested()) {
        wait(lock, stop);
        if (stop.stop_requested()) return;
        end_overdue(lock);
        end_abandoned(lock);
    }
}

void StatementWatch::wait(Lock& lock, const std::stop_token& stop) {
    SteadyTime next = now() + longest_sleep;
    for (const auto& [session, running] : running_) {
        if (running.state == State::runs) next = std::min(next, running.until);
    }
    if (!abandoned_.empty()) next = not_before_;
    wakes_at_ = std::max(next, not_before_);
    is_nudged_ = false;
    wake_.wait_until(lock, stop, wakes_at_, [this] { return is_nudged_; });
}

void StatementWatch::end_overdue(Lock& lock) {
    while (const auto session = first_overdue(now())) {
        lock.unlock();
        const bool can_be_said = is_connected();  // which may take seconds: it may be answered meanwhile
        lock.lock();
        if (!can_be_said) return put_off();
        const auto at = running_.find(*session);
        if (at == running_.end() || at->second.until > now()) continue;
        at->second.state = State::is_being_ended;
        lock.unlock();
        const Said said = say("KILL QUERY " + std::to_string(*session));
        lock.lock();
        at->second.state = said == Said::nothing   ? State::runs
                           : said == Said::refused ? State::cannot_be_ended
                                                   : State::was_ended;
        at->second.is_in_doubt |= said == Said::nothing;
        settled_.notify_all();
        if (said == Said::nothing) return put_off();
    }
}

void StatementWatch::end_abandoned(Lock& lock) {
    while (!abandoned_.empty()) {
        const SessionId session = abandoned_.front();
        lock.unlock();
        const bool was_said = is_connected() && say("KILL " + std::to_string(session)) != Said::nothing;
        lock.lock();
        if (!was_said) return put_off();
        if (!abandoned_.empty() && abandoned_.front() == session) abandoned_.pop_front();
    }
}

std::optional<SessionId> StatementWatch::first_overdue(SteadyTime time) const {
    for (const auto& [session, running] : running_) {
        if (running.state == State::runs && running.until <= time) return session;
    }
    return std::nullopt;
}

bool StatementWatch::is_connected() {
    if (connection_ && connection_->ping()) return true;
    ServerError error;
    auto opened = Connection::open(mysql_, &error, of_the_watch);
    if (!opened) {
        if (!std::exchange(is_away_, true)) log_.error("statement_watch_away", {{"reason", error.message}});
        return false;
    }
    connection_ = std::move(*opened);
    is_away_ = false;
    return true;
}

StatementWatch::Said StatementWatch::say(const std::string& command) {
    // Mostly there is no such session (1094): any more, or on the server that this one leads to still.
    const Said said = say_here(command);
    if (said != Said::refused) return said;
    connection_.reset();
    return is_connected() ? say_here(command) : Said::nothing;
}

StatementWatch::Said StatementWatch::say_here(const std::string& command) {
    const auto done = connection_->run(command);
    if (done) return Said::done;
    return class_of(done.error()) == ErrorClass::connection ? Said::nothing : Said::refused;
}

}  // namespace sluice::store
