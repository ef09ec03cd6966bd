#include "consumer/quarantine/quarantine_work.hpp"

#include <functional>
#include <utility>

#include "common/failpoint.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds entry_lock_wait{1};
constexpr int settled_per_write = 100;

}  // namespace

QuarantineWork::QuarantineWork(OffsetWriter writer, const LaneContext& context, Partitions& partitions,
                               const config::MysqlSettings& mysql, Log& log, Metrics& metrics)
    : clock_{context.clock},
      partitions_{partitions},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(writer.name))},
      database_{mysql, log, context.readiness, context.clock, random_, *context.moves},
      checked_{database_, partitions, std::move(writer), log, metrics},
      quarantine_{context, checked_.writer().topic_id, log, metrics} {}

bool QuarantineWork::round() {
    store::Connection* connection = checked_.ready();
    if (connection == nullptr) return false;
    forget_stale();
    if (const auto set = connection->set_lock_wait(entry_lock_wait); !set) {
        database_.failed(connection->last_error().message);
        return false;
    }
    auto waiting = waiting_.take_next(clock_.steady());
    if (!waiting) {
        write_rest();
        return false;
    }
    return settle(*connection, std::move(*waiting));
}

bool QuarantineWork::settle(store::Connection& connection, WaitingRecords::Waiting waiting) {
    switch (quarantine_.take(connection, waiting.record, trouble_)) {
        case Visited::settled:
            (void)FP("consumer.after_quarantine_entry");
            partitions_.finish(waiting.record.at);
            database_.worked();
            if (++unwritten_ >= settled_per_write) write_rest();
            return true;
        case Visited::others_turn:
        case Visited::again_soon:
        case Visited::again_first:
            waiting_.put_off(std::move(waiting), clock_.steady());
            database_.worked();
            return true;
        case Visited::trouble:
            waiting_.put_off(std::move(waiting), clock_.steady());
            database_.failed(trouble_);
            return false;
    }
    return false;
}

void QuarantineWork::take(Items items) {
    for (Item& item : items) waiting_.add(std::move(item.record));
}

void QuarantineWork::forget_stale() {
    const std::uint64_t changes = partitions_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    waiting_.drop_if([this](const Record& record) { return !partitions_.is_current(record.at); });
}

void QuarantineWork::write_rest() {
    unwritten_ = 0;
    if (checked_.write_rest() && waiting_.empty()) database_.worked();
}

}  // namespace sluice::consumer
