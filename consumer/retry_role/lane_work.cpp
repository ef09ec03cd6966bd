#include "consumer/retry_role/lane_work.hpp"

#include <functional>
#include <utility>

#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/lock_patience.hpp"
#include "consumer/lane/run/wakeup_record.hpp"

namespace sluice::consumer {

LaneWork::LaneWork(const std::string& name, const std::vector<RetryTopic>& topics, const LaneContext& context,
                   Partitions& partitions, const config::MysqlSettings& mysql,
                   std::unique_ptr<CommandHandler> commands, Log& log)
    : clock_{context.clock},
      rules_{context.rules},
      topics_{topics},
      partitions_{partitions},
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
      waiting_{random_, [this](const Record& record) { return is_behind_a_command(record); }} {}

store::Connection* LaneWork::ready() {
    store::Connection* connection = database_.ready();
    if (connection == nullptr) return nullptr;
    if (connection->set_lock_wait(LockPatience::full_wait) &&
        rules_.holds->look_again(rules_.effects, *connection))
        return connection;
    database_.failed(connection->last_error().message);
    return nullptr;
}

bool LaneWork::round() {
    forget_stale();
    store::Connection* connection = ready();
    if (connection == nullptr) return false;
    auto waiting = take_next();
    if (!waiting) {
        idle();
        return false;
    }
    switch (handle(*connection, waiting->record)) {
        case Visited::settled:
            partitions_.finish(waiting->record.at);
            break;
        case Visited::others_turn:
            waiting_.add(std::move(waiting->record));
            break;
        case Visited::again_first:
            hold_later_commands(waiting->record);
            [[fallthrough]];
        case Visited::again_soon:
            waiting_.put_off(std::move(*waiting), clock_.steady());
            break;
        case Visited::trouble:
            // Behind the others: what ends the session each time must not keep them waiting.
            hold_later_commands(waiting->record);
            waiting_.put_off(std::move(*waiting), clock_.steady());
            database_.failed(trouble_);
            return false;
    }
    database_.worked();
    return true;
}

void LaneWork::hold_later_commands(const Record& record) {
    if (!is_command(record)) return;
    put_off_.insert_or_assign(std::string{record.key}, record.at.offset);
}

std::optional<WaitingRecords::Waiting> LaneWork::take_next() {
    auto waiting = waiting_.take_next(clock_.steady());
    if (waiting) no_longer_put_off(waiting->record);
    return waiting;
}

void LaneWork::no_longer_put_off(const Record& record) {
    if (!is_command(record) || put_off_.empty()) return;
    const auto at = put_off_.find(record.key);
    if (at != put_off_.end() && at->second == record.at.offset) put_off_.erase(at);
}

bool LaneWork::is_command(const Record& record) const {
    return topics_[record.at.topic].records == RecordKind::command;
}

// Operators' commands on one object are carried out in the order in which they were given.
bool LaneWork::is_behind_a_command(const Record& record) const {
    if (!is_command(record)) return false;
    const auto earlier = put_off_.find(record.key);
    return earlier != put_off_.end() && earlier->second < record.at.offset;
}

Visited LaneWork::handle(store::Connection& connection, const Record& record) {
    if (is_command(record)) return commands_->carry_out(connection, record, trouble_);
    const auto wakeup = read_wakeup_record(record.headers);
    return visit_.visit(connection, record.key, wakeup ? std::optional{wakeup->gen} : std::nullopt, trouble_);
}

void LaneWork::take(Items items) {
    for (Item& item : items) waiting_.add(std::move(item.record));
}

void LaneWork::forget_stale() {
    const std::uint64_t changes = partitions_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    waiting_.drop_if([this](const Record& record) {
        if (partitions_.is_current(record.at)) return false;
        no_longer_put_off(record);
        return true;
    });
}

void LaneWork::idle() {
    database_.keep_alive();
    if (waiting_.empty() && database_.ready() != nullptr) database_.worked();
}

}  // namespace sluice::consumer
