#include "consumer/retry_role/sweeper.hpp"

#include <algorithm>
#include <vector>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"
#include "consumer/apply/own_failures.hpp"
#include "consumer/lane/rules/retry_delays.hpp"
#include "consumer/lane/run/wakeup_record.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/named_lock.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds between_sweeps{10};
// What is on its way as usual arrives long before.
constexpr std::chrono::seconds grace{60};
constexpr std::size_t most_overdue_at_once = 500;  // as store::overdue_lanes reads them

/// Not where another session works in that lane, nor where MySQL refuses this one: the others need us.
bool ends_the_round(std::error_code error) {
    return store::class_of(error) != store::ErrorClass::lost_lock && !may_be_the_events(error);
}

std::unexpected<std::string> ended(const store::Connection& connection) {
    return std::unexpected(connection.last_error().message);
}

}  // namespace

Sweeper::Sweeper(const config::MysqlSettings& mysql, const LaneContext& context, Milliseconds keep_idle,
                 Log& log, Metrics& metrics)
    : mysql_{mysql},
      context_{context},
      keep_idle_{keep_idle},
      log_{log},
      visit_{context},
      owed_records_{context},
      metrics_of_lanes_{metrics},
      silence_{context.rules.sources, metrics},
      overdue_{metrics.gauge("sluice_consumer_lanes_overdue",
                             "Lanes whose wakeup is overdue, as found by this process's last sweep")},
      reproduced_{metrics.counter("sluice_consumer_wakeups_total", "Wakeups, by what was done with them",
                                  {{"what", "reproduced"}})},
      purged_{
          metrics.counter("sluice_consumer_lanes_purged_total", "Idle lanes that were deleted from MySQL")},
      failures_{
          metrics.counter("sluice_consumer_sweep_failures_total", "Sweeps that could not be completed")},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Sweeper::~Sweeper() = default;

void Sweeper::run(const std::stop_token& stop) {
    name_this_thread("sweeper");
    while (!stop.stop_requested()) {
        if (const auto done = round(stop); !done) {
            failures_.Increment();
            log_.warn("sweep_failed", {{"reason", done.error()}});
        }
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, lane::paced(between_sweeps), [] { return false; });
    }
}

Sweeper::Done Sweeper::round(const std::stop_token& stop) {
    overdue_.Set(0);
    store::ServerError error;
    auto connection = store::Connection::open(mysql_, &error);
    const auto told = tell_silence(connection ? connection->get() : nullptr);
    if (!connection) return std::unexpected(error.message);
    if (auto done = sweep_alone(**connection, stop); !done) return done;
    return told;
}

Sweeper::Done Sweeper::tell_silence(store::Connection* connection) {
    if (connection != nullptr && silence_.take(*connection, context_.clock.wall())) return {};
    silence_.forget();
    return connection != nullptr ? ended(*connection) : Done{};
}

Sweeper::Done Sweeper::sweep_alone(store::Connection& connection, const std::stop_token& stop) {
    const auto lock = store::NamedLock::acquire(connection, "sweeper", std::chrono::seconds{0});
    if (!lock) return ended(connection);
    if (!*lock) {
        metrics_of_lanes_.forget();  // another process sweeps
        return {};
    }
    return sweep(connection, stop);
}

Sweeper::Done Sweeper::sweep(store::Connection& connection, const std::stop_token& stop) {
    if (auto done = wake_overdue(connection, stop); !done) return done;
    if (auto done = wake_resting(connection, stop); !done) return done;
    if (auto done = send_dead_letters(connection, stop); !done) return done;
    if (auto done = purge(connection); !done) return done;
    if (const auto taken = metrics_of_lanes_.take(connection, context_.clock.wall()); !taken)
        return ended(connection);
    return {};
}

Sweeper::Done Sweeper::wake_overdue(store::Connection& connection, const std::stop_token& stop) {
    std::size_t found = 0;
    std::vector<store::OverdueLane> before;
    while (!stop.stop_requested()) {
        auto overdue = store::overdue_lanes(connection, context_.clock.wall() - lane::paced(grace));
        if (!overdue) return ended(connection);
        overdue_.Set(static_cast<double>(found += overdue->size()));
        for (const auto& lane : *overdue) {
            if (stop.stop_requested()) return {};
            if (auto done = wake(connection, lane); !done) return done;
        }
        const bool is_more = overdue->size() == most_overdue_at_once;
        // Those that cannot be put off would come again and again.
        if (!is_more ||
            std::ranges::equal(*overdue, before, {}, &store::OverdueLane::key, &store::OverdueLane::key))
            break;
        before = std::move(*overdue);
    }
    if (found > 0) log_.warn("lanes_overdue", {{"lanes", static_cast<std::int64_t>(found)}});
    return {};
}

Sweeper::Done Sweeper::wake_resting(store::Connection& connection, const std::stop_token& stop) {
    auto resting = store::resting_lanes(connection);
    if (!resting) return ended(connection);
    for (auto& lane : *resting) {
        if (stop.stop_requested()) return {};
        const auto armed = store::arm_resting(connection, lane, context_.clock.wall());
        if (!armed && ends_the_round(armed.error())) return ended(connection);
        if (!armed || !*armed) continue;
        ++lane.gen;
        if (auto done = wake(connection, lane); !done) return done;
    }
    return {};
}

Sweeper::Done Sweeper::wake(store::Connection& connection, const store::OverdueLane& lane) {
    const WallTime now = context_.clock.wall();
    const LaneWakeup wakeup{.object_key = lane.object_key, .gen = lane.gen, .due = now};
    const Outgoing record = wakeup_record(wakeup, context_.rules.retry_topics, now);
    if (const auto sent = context_.publisher.publish(record); !sent) {
        return std::unexpected("topic " + record.topic + " accepts no records: " + sent.error().message());
    }
    (void)FP("consumer.after_sweeper_wakeup");
    const WallTime due = now + lane::delay_of(lane::tiers.front());
    if (const auto put_off = store::put_off_wakeup(connection, lane.key, lane.gen, due); !put_off) {
        // Its wakeup comes twice, which is harmless.
        if (ends_the_round(put_off.error())) return ended(connection);
    }
    reproduced_.Increment();
    return {};
}

Sweeper::Done Sweeper::send_dead_letters(store::Connection& connection, const std::stop_token& stop) {
    std::optional<store::OwedDeadLetter> last;
    while (!stop.stop_requested()) {
        auto owed = store::owed_dead_letters(connection, context_.clock.wall() - lane::paced(grace), last);
        if (!owed) return ended(connection);
        if (owed->empty()) return {};
        for (const auto& dead_letter : *owed) {
            if (stop.stop_requested()) return {};
            if (auto done = send_owed(connection, dead_letter); !done) return done;
        }
        last = std::move(owed->back());
    }
    return {};
}

Sweeper::Done Sweeper::send_owed(store::Connection& connection, const store::OwedDeadLetter& dead_letter) {
    std::string trouble;
    if (dead_letter.in_lane &&
        visit_.visit(connection, dead_letter.object_key, std::nullopt, trouble) == Visited::trouble)
        return std::unexpected(trouble);
    // Of a lane a visit sends only the first where that is refused. What the broker does not take comes again
    // in the next round.
    if (const auto sent = owed_records_.send_dead_letter(connection, dead_letter.id);
        !sent && ends_the_round(sent.error()))
        return ended(connection);
    return {};
}

Sweeper::Done Sweeper::purge(store::Connection& connection) {
    const auto purged = store::purge_idle_lanes(connection, context_.clock.wall() - keep_idle_);
    if (!purged) return ended(connection);
    purged_.Increment(static_cast<double>(*purged));
    return {};
}

}  // namespace sluice::consumer
