#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/clock.hpp"

/// Which days of the inbox come and go: the rules, without a server.
namespace sluice::store {

/// One partition of `inbox` or `event_payload`: the days below `bound` that the one before it does not take.
struct DayPartition {
    std::string name;                            ///< p20261121 holds 2026-11-21; p_undated; p_newest
    std::optional<std::chrono::sys_days> bound;  ///< exclusive; nullopt: MAXVALUE
};

/// What was promised to be gone, and since when.
struct Announcement {
    std::chrono::sys_days before;  ///< days before this one
    WallTime since;                ///< committed then
};

inline constexpr std::chrono::days partitions_ahead{7};
inline constexpr std::chrono::hours announced_for{24};  ///< between the promise and the first DROP

/// The days to make a partition for, oldest first, so that `today` and seven days after it have one each.
[[nodiscard]] std::vector<std::chrono::sys_days> days_to_add(std::span<const DayPartition> partitions,
                                                             std::chrono::sys_days today,
                                                             std::chrono::days keep);

/// The next promise to make; nullopt when there is nothing new past `keep`, or when the last promise is
/// not yet a day old and so has not been kept.
[[nodiscard]] std::optional<std::chrono::sys_days> day_to_announce(
    std::span<const DayPartition> partitions, std::chrono::sys_days today, std::chrono::days keep,
    WallTime now, const std::optional<Announcement>& announced);

/// Partitions that may be dropped now, oldest first: wholly before the promise, and that a day old, and past
/// `keep` (which may have grown since the promise). Never the undated one, never the newest. Whether their
/// rows are finished is for the caller to check.
[[nodiscard]] std::vector<DayPartition> partitions_to_drop(std::span<const DayPartition> partitions,
                                                           std::chrono::sys_days today,
                                                           std::chrono::days keep, WallTime now,
                                                           const std::optional<Announcement>& announced);

/// How many whole days after `today` have a partition of their own; -1 when today has none.
[[nodiscard]] int days_ahead(std::span<const DayPartition> partitions, std::chrono::sys_days today);

[[nodiscard]] std::string partition_name(std::chrono::sys_days day);  ///< p20261121

}  // namespace sluice::store
