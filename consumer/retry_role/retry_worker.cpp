#include "consumer/retry_role/retry_worker.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/thread_name.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/lock_patience.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds idle_retry_look{500};
// Long enough not to spin on a lock, short against the time that a visit may take; then others go first.
constexpr Milliseconds shortest_wait{5};
constexpr Milliseconds longest_wait{1000};

}  // namespace

RetryWorker::RetryWorker(const std::string& name, const LaneContext& context, RetryOffsets& offsets,
                         const config::MysqlSettings& mysql, std::unique_ptr<CommandHandler> commands,
                         Log& log)
    : clock_{context.clock},
      rules_{context.rules},
      offsets_{offsets},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(name))},
      database_{mysql,
                log,
                context.readiness,
                context.clock,
                random_,
                *context.moves,
                {context.watch, context.rules.effects.longest_within()}},
      visit_{context},
      commands_{std::move(commands)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

RetryWorker::~RetryWorker() {
    stop();
}

void RetryWorker::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void RetryWorker::run(const std::stop_token& stop) {
    name_this_thread("retry-worker");
    while (!stop.stop_requested()) {
        if (!queue_.begin(stop)) break;
        absorb();
        forget_stale();
        const bool more = work();
        queue_.end();
        if (!more) queue_.wait(stop, next_look());
    }
}

bool RetryWorker::work() {
    store::Connection* connection = database_.ready();
    if (connection == nullptr) return false;
    if (const auto set = connection->set_lock_wait(LockPatience::full_wait); !set) {
        database_.failed(connection->last_error().message);
        return false;
    }
    if (const auto looked = rules_.holds->look_again(rules_.effects, *connection); !looked) {
        database_.failed(connection->last_error().message);
        return false;
    }
    auto waiting = take_next();
    if (!waiting) {
        idle();
        return false;
    }
    switch (handle(*connection, waiting->touch)) {
        case Visited::settled:
            offsets_.finish(waiting->touch);
            break;
        case Visited::others_turn:
            waiting_.push_back({.touch = std::move(waiting->touch)});
            break;
        case Visited::again_first:
            hold_later_commands(waiting->touch);
            [[fallthrough]];
        case Visited::again_soon:
            put_off(std::move(*waiting));
            break;
        case Visited::trouble:
            // Behind the others: what ends the session each time must not keep them waiting.
            hold_later_commands(waiting->touch);
            put_off(std::move(*waiting));
            database_.failed(trouble_);
            return false;
    }
    database_.worked();
    return true;
}

void RetryWorker::hold_later_commands(const Touch& touch) {
    if (touch.kind != RecordKind::command) return;
    put_off_.insert_or_assign(std::string{touch.record.key}, touch.record.at.offset);
}

void RetryWorker::put_off(Waiting waiting) {
    const Milliseconds wait = Backoff{shortest_wait, longest_wait}.after(++waiting.times, random_);
    waiting.not_before = clock_.steady() + wait;
    waiting_.push_back(std::move(waiting));
}

std::optional<RetryWorker::Waiting> RetryWorker::take_next() {
    const SteadyTime now = clock_.steady();
    const auto at = std::ranges::find_if(waiting_, [&](const Waiting& waiting) {
        return waiting.not_before <= now && !is_behind_a_command(waiting.touch);
    });
    if (at == waiting_.end()) return std::nullopt;
    Waiting waiting = std::move(*at);
    waiting_.erase(at);
    no_longer_put_off(waiting.touch);
    return waiting;
}

void RetryWorker::no_longer_put_off(const Touch& touch) {
    if (touch.kind != RecordKind::command || put_off_.empty()) return;
    const auto at = put_off_.find(touch.record.key);
    if (at != put_off_.end() && at->second == touch.record.at.offset) put_off_.erase(at);
}

// Operators' commands on one object are carried out in the order in which they were given.
bool RetryWorker::is_behind_a_command(const Touch& touch) const {
    if (touch.kind != RecordKind::command) return false;
    const auto earlier = put_off_.find(touch.record.key);
    return earlier != put_off_.end() && earlier->second < touch.record.at.offset;
}

Visited RetryWorker::handle(store::Connection& connection, const Touch& touch) {
    if (touch.kind == RecordKind::command) return commands_->carry_out(connection, touch.record, trouble_);
    return visit_.visit(connection, touch.record.key, touch.wakeup, trouble_);
}

void RetryWorker::absorb() {
    for (Touch& touch : queue_.take()) waiting_.push_back({.touch = std::move(touch)});
}

void RetryWorker::forget_stale() {
    const std::uint64_t changes = offsets_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    std::erase_if(waiting_, [this](const Waiting& waiting) {
        if (offsets_.is_current(waiting.touch)) return false;
        no_longer_put_off(waiting.touch);
        return true;
    });
}

void RetryWorker::idle() {
    database_.keep_alive();
    if (waiting_.empty() && database_.ready() != nullptr) database_.worked();
}

SteadyTime RetryWorker::next_look() const {
    SteadyTime next = clock_.steady() + idle_retry_look;
    for (const Waiting& waiting : waiting_) {
        if (!is_behind_a_command(waiting.touch)) next = std::min(next, waiting.not_before);
    }
    // Nothing can be done before the database is tried again, however much is due.
    return std::max(next, database_.next_try());
}

}  // namespace sluice::consumer
