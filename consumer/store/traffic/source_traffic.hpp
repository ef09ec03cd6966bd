#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/silence/rules/usual_traffic.hpp"
#include "consumer/store/driver/connection.hpp"

/// How many events came from each source, by the hour (deploy/mysql/0015_source_traffic.sql).
namespace sluice::store {

/// Adds to the hour of a source. `last`: when the newest of the events came.
[[nodiscard]] Result<void> add_traffic(Connection& connection, std::string_view source,
                                       const silence::HourTraffic& traffic, WallTime last);

struct NewestOfSource {
    std::string source;
    WallTime at{};  ///< when its newest event came
};
/// Of each source that has any.
[[nodiscard]] Result<std::vector<NewestOfSource>> newest_by_source(Connection& connection);

/// The hours of a source from `since` on that had events, in order.
[[nodiscard]] Result<std::vector<silence::HourTraffic>> traffic_of(Connection& connection,
                                                                   std::string_view source, WallTime since);

/// What is usual for it, learned as UsualTraffic says.
[[nodiscard]] Result<silence::UsualTraffic> usual_traffic(Connection& connection,
                                                          const NewestOfSource& newest);

/// Deletes the hours of more than twelve weeks ago: eight are learned from, and four may be silent. In chunks
/// of a thousand; any number of sessions may do so at once. How many.
[[nodiscard]] Result<std::int64_t> delete_old_traffic(Connection& connection, WallTime now);

}  // namespace sluice::store
