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

/// What is strange about callbacks: the rules, without a database. Each function takes callbacks of one
/// subject in the order of their receipt, enforces its own time, and is pure: it does not matter how much
/// more than that time is handed to it.
namespace sluice::consumer {

enum class Anomaly : std::uint8_t {
    burst_minute,       ///< more than callbacks.anomalies.per_minute of one object within a minute
    burst_hour,         ///< more than per_hour within an hour
    amount_differs,     ///< two events say that the object is paid, of different amounts or currencies
    paid_after_closed,  ///< it is paid after it was closed
    same_body,          ///< one body came under several event ids within a day
    failing_client,     ///< one address has wrong signatures at three sources or more within an hour
};
inline constexpr std::size_t anomaly_count = 6;
[[nodiscard]] std::string_view name_of(Anomaly anomaly) noexcept;  ///< closed set: table, log, metric

/// For so long after its last callback more of the same belong to an anomaly that is known.
[[nodiscard]] std::chrono::seconds lasts(Anomaly anomaly) noexcept;

inline constexpr std::chrono::days payments_within{8};
inline constexpr std::chrono::hours bodies_within{24};
inline constexpr std::chrono::hours failures_within{1};
inline constexpr std::size_t fewest_failing_sources = 3;

struct FoundAnomaly {
    Anomaly what{};
    WallTime began{};
    WallTime last{};
    std::int64_t callbacks = 0;
    std::string detail{};  ///< a sentence with the ids of events
};

/// Callbacks of an object, by when they came.
[[nodiscard]] std::vector<FoundAnomaly> bursts_in(std::span<const WallTime> callbacks,
                                                  const config::CallbackSettings& limits);

/// An accepted event that says that its object is paid or closed.
struct SeenPayment {
    WallTime at{};
    std::string event_id{};
    std::optional<WallTime> occurred_at{};
    std::string payment{};  ///< the kind
    std::optional<std::int64_t> amount{};
    std::string currency{};
};
[[nodiscard]] std::vector<FoundAnomaly> strange_payments(std::span<const SeenPayment> payments);

/// When something of that name came: an event, or a request to a source.
struct Named {
    WallTime at{};
    std::string name{};
};
/// Accepted events with one body.
[[nodiscard]] std::vector<FoundAnomaly> one_body_of_several(std::span<const Named> events);
/// Wrong signatures of one client.
[[nodiscard]] std::vector<FoundAnomaly> failures_at_several(std::span<const Named> sources);

}  // namespace sluice::consumer
