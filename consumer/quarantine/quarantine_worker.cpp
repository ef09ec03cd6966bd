#include "consumer/quarantine/quarantine_worker.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/failpoint.hpp"
#include "common/thread_name.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds idle_quarantine_look{500};
constexpr std::chrono::seconds entry_lock_wait{1};
constexpr Backoff between_tries_of_one{Milliseconds{5}, Milliseconds{1000}};
constexpr int settled_per_claim = 100;

}  // namespace

QuarantineWorker::QuarantineWorker(ClaimantName claimant, const LaneContext& context, Partitions& partitions,
                                   const config::MysqlSettings& mysql, Log& log, Metrics& metrics)
    : clock_{context.clock},
      partitions_{partitions},
      random_{static_cast<Random::result_type>(std::hash<std::string>{}(claimant.name))},
      database_{mysql, log, context.readiness, context.clock, random_, *context.moves},
      checked_{database_, partitions, std::move(claimant), log, metrics},
      quarantine_{context, checked_.claimant().topic_id, log, metrics},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

QuarantineWorker::~QuarantineWorker() {
    stop();
}

void QuarantineWorker::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void QuarantineWorker::run(const std::stop_token& stop) {
    name_this_thread("quarantine");
    while (!stop.stop_requested()) {
        absorb();
        if (!queue_.begin(stop)) break;
        const bool more = work();
        queue_.end();
        if (!more) queue_.wait(stop, next_look());
    }
    claim_rest();
}

bool QuarantineWorker::work() {
    store::Connection* connection = checked_.ready();
    if (connection == nullptr) return false;
    forget_stale();
    if (const auto set = connection->set_lock_wait(entry_lock_wait); !set) {
        database_.failed(connection->last_error().message);
        return false;
    }
    auto waiting = take_next();
    if (!waiting) {
        claim_rest();
        return false;
    }
    return settle(*connection, std::move(*waiting));
}

bool QuarantineWorker::settle(store::Connection& connection, Waiting waiting) {
    switch (quarantine_.take(connection, waiting.record, trouble_)) {
        case Visited::settled:
            (void)FP("consumer.after_quarantine_entry");
            partitions_.finish(waiting.record.at);
            database_.worked();
            if (++unclaimed_ >= settled_per_claim) claim_rest();
            return true;
        case Visited::others_turn:
        case Visited::again_soon:
        case Visited::again_first:
            put_off(std::move(waiting));
            database_.worked();
            return true;
        case Visited::trouble:
            put_off(std::move(waiting));
            database_.failed(trouble_);
            return false;
    }
    return false;
}

std::optional<QuarantineWorker::Waiting> QuarantineWorker::take_next() {
    const SteadyTime now = clock_.steady();
    const auto at =
        std::ranges::find_if(waiting_, [&](const Waiting& waiting) { return waiting.not_before <= now; });
    if (at == waiting_.end()) return std::nullopt;
    Waiting waiting = std::move(*at);
    waiting_.erase(at);
    return waiting;
}

void QuarantineWorker::put_off(Waiting waiting) {
    waiting.not_before = clock_.steady() + between_tries_of_one.after(++waiting.times, random_);
    waiting_.push_back(std::move(waiting));
}

void QuarantineWorker::absorb() {
    for (Record& record : queue_.take()) waiting_.push_back({.record = std::move(record)});
}

void QuarantineWorker::forget_stale() {
    const std::uint64_t changes = partitions_.changes();
    if (std::exchange(seen_changes_, changes) == changes) return;
    std::erase_if(waiting_,
                  [this](const Waiting& waiting) { return !partitions_.is_current(waiting.record.at); });
}

void QuarantineWorker::claim_rest() {
    unclaimed_ = 0;
    if (checked_.claim_rest() && waiting_.empty()) database_.worked();
}

SteadyTime QuarantineWorker::next_look() const {
    SteadyTime next = clock_.steady() + idle_quarantine_look;
    for (const Waiting& waiting : waiting_) next = std::min(next, waiting.not_before);
    // Nothing can be done before the database is tried again, however much is due.
    return std::max(next, database_.next_try());
}

}  // namespace sluice::consumer
