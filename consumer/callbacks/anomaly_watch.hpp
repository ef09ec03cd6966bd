#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/callbacks/anomalies.hpp"
#include "consumer/store/callback/anomaly.hpp"
#include "consumer/store/callback/callback.hpp"

namespace sluice::consumer {

/// Looks for what is strange about callbacks whose rows are committed, among all rows: it remembers nothing
/// itself, so it does not matter which process wrote the others, or when. One thread's.
class AnomalyWatch {
public:
    AnomalyWatch(const config::CallbackSettings& settings, Log& log, Metrics& metrics);

    /// What it counts is there from the start: an alarm needs its counter before the first one.
    static void export_counters(Metrics& metrics);

    /// One anomaly, and who or what it is about.
    struct Found {
        FoundAnomaly anomaly;
        std::string subject;
        std::string source;
    };
    /// What the rows of these callbacks belong to. No locks; the rows are committed.
    [[nodiscard]] Result<std::vector<Found>> look(store::Connection& connection,
                                                  std::span<const store::CallbackEntry> entries) const;
    /// Writes them, each once, and for a new one the message that tells of it, inside the caller's
    /// transaction, which has the lock of anomalies. Which are new.
    [[nodiscard]] Result<std::vector<const Found*>> write(store::Connection& connection,
                                                          const std::vector<Found>& found) const;
    /// They are committed.
    void tell(const std::vector<const Found*>& found);

private:
    [[nodiscard]] Result<void> look_at_bursts(store::Connection& connection,
                                              std::span<const store::CallbackEntry> entries,
                                              std::vector<Found>& found) const;
    [[nodiscard]] Result<void> look_at_payments(store::Connection& connection,
                                                std::span<const store::CallbackEntry> entries,
                                                std::vector<Found>& found) const;
    [[nodiscard]] Result<void> look_at_bodies(store::Connection& connection,
                                              std::span<const store::CallbackEntry> entries,
                                              std::vector<Found>& found) const;
    [[nodiscard]] Result<void> look_at_clients(store::Connection& connection,
                                               std::span<const store::CallbackEntry> entries,
                                               std::vector<Found>& found) const;

    const config::CallbackSettings& settings_;
    Log& log_;
    std::array<Counter*, anomaly_count> counters_;
};

}  // namespace sluice::consumer
