#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/record/record.hpp"
#include "consumer/silence/rules/usual_traffic.hpp"

namespace sluice::consumer {

/// What came from one source in one hour.
struct Arrived {
    std::string source;
    silence::HourTraffic traffic{};
    WallTime last{};
};

/// Counts the events that providers sent, by source and by the hour in which they came to the ingress. What
/// is read again counts again. What the poller read does not count: it comes when a provider is silent. Its
/// size is bounded by sources and the hours that are behind. Thread-safe.
class Arrivals {
public:
    /// None came later than `now`: a node whose clock is ahead must not hide the silence that follows.
    void saw(const Items& items, WallTime now);
    /// All that was counted; counting begins anew.
    [[nodiscard]] std::vector<Arrived> take();
    void give_back(std::span<const Arrived> arrived);  ///< what could not be written

private:
    using Hour = std::chrono::sys_time<std::chrono::hours>;
    struct Count {
        std::int64_t events = 0;
        WallTime last{};
    };
    void add(std::string_view source, Hour hour, const Count& count);

    std::mutex mutex_;
    std::map<std::string, std::map<Hour, Count>, std::less<>> counts_;
};

/// A thread that adds what arrived to MySQL once a minute, over a connection of that moment.
class ArrivalsWriter {
public:
    /// All outlive it.
    ArrivalsWriter(Arrivals& arrivals, const config::MysqlSettings& mysql, Log& log, Metrics& metrics);
    ~ArrivalsWriter() = default;  ///< waits for what is under way

private:
    void run(const std::stop_token& stop);
    void write();
    void failed(std::span<const Arrived> left, const std::string& why);

    Arrivals& arrivals_;
    const config::MysqlSettings& mysql_;
    Log& log_;
    Counter& failures_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
