#include "consumer/main_role/event_work.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/failpoint.hpp"
#include "consumer/apply/effect_holds.hpp"

namespace sluice::consumer {
namespace {

// Troubled objects run between batches, for so long that healthy ones never wait for more than one of them:
// each may wait a second for a lock and be due again when the next one has waited.
constexpr Milliseconds alone_per_round{50};

}  // namespace

EventWork::EventWork(std::size_t batch, const WorkerContext& context, const config::MysqlSettings& mysql,
                     OffsetWriter writer, Log& log)
    : most_{batch},
      context_{context},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(writer.name))},
      database_{mysql,
                log,
                context.readiness,
                context.clock,
                random_,
                context.moves,
                {context.watch, context.rules.effects.longest_within()}},
      checked_{database_, context.partitions, std::move(writer), log, context.metrics},
      single_{context, random_},
      batch_{context, single_} {}

bool EventWork::round() {
    store::Connection* connection = checked_.ready();
    if (connection == nullptr || !look_at_held(*connection)) return false;
    // The check may have passed because a seek was done while it was made: what was read before that seek
    // must not be run.
    forget_stale();
    const Session session{*connection, checked_.writer(), trouble_, locks_};
    const DeadLetterBudget::Gate gate = context_.budget.gate();
    is_shut_ = gate == DeadLetterBudget::Gate::nothing;
    if (is_shut_) {
        write_rest();  // and the session is kept alive
        return false;
    }
    if (gate == DeadLetterBudget::Gate::one) return probe(session);
    Items batch = backlog_.take_batch(most_);
    const bool had_batch = !batch.empty();
    if (had_batch) {
        if (!batch_.run(std::move(batch), backlog_, session)) {
            database_.failed(trouble_);
            return false;
        }
        database_.worked();
    }
    const bool had_alone = work_alone(session);
    if (!had_batch && !had_alone) write_rest();
    return had_batch || had_alone;
}

bool EventWork::probe(const Session& session) {
    auto item = backlog_.take_alone(context_.clock.steady());
    if (!item) {
        auto batch = backlog_.take_batch(1);
        if (!batch.empty()) item = std::move(batch.front());
    }
    const bool is_any = item.has_value();
    if (!is_any) {
        write_rest();
    } else if (single_.run(std::move(*item), backlog_, session) == RunEnd::trouble) {
        database_.failed(trouble_);
    } else {
        database_.worked();
    }
    context_.budget.told_nothing();  // unless it did: that is reported already
    return is_any;
}

bool EventWork::work_alone(const Session& session) {
    bool any = false;
    const SteadyTime until = context_.clock.steady() + alone_per_round;
    for (SteadyTime now = context_.clock.steady(); now < until; now = context_.clock.steady()) {
        auto item = backlog_.take_alone(now);
        if (!item) return any;
        if (single_.run(std::move(*item), backlog_, session) == RunEnd::trouble) {
            database_.failed(trouble_);
            return false;
        }
        database_.worked();
        any = true;
    }
    return any;
}

void EventWork::prepare(Item& item) const {
    (void)decode(item);
}

void EventWork::take(Items items) {
    forget_stale();  // first: the event that replaces a stale one asks how often that one failed
    // A change since they were taken is seen above, and not again.
    std::erase_if(items,
                  [this](const Item& item) { return !context_.partitions.is_current(item.record.at); });
    context_.arrivals.saw(items, context_.clock.wall());
    for (Item& item : items) tries_.give_back(item);
    backlog_.push(std::move(items));
    (void)FP("consumer.after_absorb");
}

void EventWork::forget_stale() {
    const std::uint64_t changes = context_.partitions.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    backlog_.drop_if([this](const Item& item) {
        if (context_.partitions.is_current(item.record.at)) return false;
        tries_.keep(item);
        return true;
    });
}

void EventWork::write_rest() {
    if (checked_.write_rest() && (backlog_.empty() || is_shut_)) database_.worked();
}

bool EventWork::look_at_held(store::Connection& connection) {
    const auto looked = context_.rules.holds->look_again(context_.rules.effects, connection);
    if (!looked) database_.failed(connection.last_error().message);
    return looked.has_value();
}

SteadyTime EventWork::next_look() const {
    return database_.next_look(is_shut_ ? std::nullopt : backlog_.next_due());
}

}  // namespace sluice::consumer
