#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/crypto/digest.hpp"

/// What is strange about the callbacks of one object: the rules, without a database.
namespace sluice::consumer {

enum class Anomaly : std::uint8_t {
    burst_minute,       ///< more than callbacks.anomalies.per_minute of one object within a minute
    burst_hour,         ///< more than per_hour within an hour
    amount_differs,     ///< two events say that the object is paid, of different amounts or currencies
    paid_after_closed,  ///< it is paid after it was closed
    same_body,          ///< one content came under several event ids
    failing_client,     ///< one address has wrong signatures at three sources or more within an hour
};
inline constexpr std::size_t anomaly_count = 6;
[[nodiscard]] std::string_view name_of(Anomaly anomaly) noexcept;  ///< closed set: table, log, metric

/// For so long after its last callback more of the same belong to an anomaly that is known.
[[nodiscard]] std::chrono::seconds lasts(Anomaly anomaly) noexcept;

/// A callback of the object that was authentic.
struct SeenCallback {
    WallTime at{};  ///< of its receipt
    bool is_accepted = false;
    std::string event_id{};
    std::optional<WallTime> occurred_at{};
    std::string payment{};  ///< the kind; empty: none
    std::optional<std::int64_t> amount{};
    std::string currency{};
};

struct FoundAnomaly {
    Anomaly what{};
    WallTime began{};
    WallTime last{};
    std::int64_t callbacks = 0;
    std::string detail{};  ///< a sentence with the ids of events
};

/// All that is to be found in them. `seen`: in the order of their receipt. Pure.
[[nodiscard]] std::vector<FoundAnomaly> anomalies_of(std::span<const SeenCallback> seen,
                                                     const config::CallbackSettings& limits);

}  // namespace sluice::consumer
