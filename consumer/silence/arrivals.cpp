#include "consumer/silence/arrivals.hpp"

#include <algorithm>

#include "common/thread_name.hpp"
#include "consumer/lane/rules/retry_delays.hpp"
#include "consumer/store/traffic/source_traffic.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds between_writes{60};

constexpr std::size_t longest_name = 64;  // of the column, and of a source

bool is_sent_by_provider(const Item& item) {
    return item.decoded && item.event.source.size() <= longest_name && !item.event.is_polled() &&
           item.event.received_at != WallTime{};
}

}  // namespace

void Arrivals::saw(const Items& items, WallTime now) {
    if (items.empty()) return;
    const std::lock_guard lock{mutex_};
    for (const Item& item : items) {
        if (!is_sent_by_provider(item)) continue;
        const WallTime at = std::min(item.event.received_at, now);
        add(item.event.source, std::chrono::floor<std::chrono::hours>(at), {1, at});
    }
}

void Arrivals::add(std::string_view source, Hour hour, const Count& count) {
    auto known = counts_.find(source);
    if (known == counts_.end()) known = counts_.emplace(source, std::map<Hour, Count>{}).first;
    Count& all = known->second[hour];
    all.events += count.events;
    all.last = std::max(all.last, count.last);
}

std::vector<Arrived> Arrivals::take() {
    std::vector<Arrived> arrived;
    const std::lock_guard lock{mutex_};
    for (const auto& [source, hours] : counts_)
        for (const auto& [hour, count] : hours) arrived.push_back({source, {hour, count.events}, count.last});
    counts_.clear();
    return arrived;
}

void Arrivals::give_back(std::span<const Arrived> arrived) {
    const std::lock_guard lock{mutex_};
    for (const Arrived& one : arrived) add(one.source, one.traffic.hour, {one.traffic.events, one.last});
}

ArrivalsWriter::ArrivalsWriter(Arrivals& arrivals, const config::MysqlSettings& mysql, Log& log,
                               Metrics& metrics)
    : arrivals_{arrivals},
      mysql_{mysql},
      log_{log},
      failures_{metrics.counter("sluice_consumer_traffic_failures_total",
                                "Times that what came from sources could not be written into MySQL")},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

void ArrivalsWriter::run(const std::stop_token& stop) {
    name_this_thread("arrivals");
    while (!stop.stop_requested()) {
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, lane::paced(between_writes), [] { return false; });
        lock.unlock();
        write();
    }
    write();  // what came during the last one
}

void ArrivalsWriter::write() {
    const std::vector<Arrived> arrived = arrivals_.take();
    if (arrived.empty()) return;
    store::ServerError error;
    const auto connection = store::Connection::open(mysql_, &error);
    if (!connection) return failed(arrived, error.message);
    std::span<const Arrived> left{arrived};
    for (; !left.empty(); left = left.subspan(1)) {
        const Arrived& one = left.front();
        const auto done = store::add_traffic(**connection, one.source, one.traffic, one.last);
        if (!done) return failed(left, (*connection)->last_error().message);
    }
}

void ArrivalsWriter::failed(std::span<const Arrived> left, const std::string& why) {
    arrivals_.give_back(left);
    failures_.Increment();
    log_.warn("traffic_not_written", {{"reason", why}});
}

}  // namespace sluice::consumer
