#include "consumer/store/inbox/retention.hpp"

#include <algorithm>

#include "common/record/event_record.hpp"
#include "common/time_text.hpp"

namespace sluice::store {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

/// A partition that holds dated events up to a bound: neither the undated bucket nor MAXVALUE.
bool is_dated(const DayPartition& partition) {
    return partition.bound && *partition.bound > record::undated + days{1};
}

/// The first day that no dated partition takes; nullopt when there is none.
std::optional<sys_days> last_bound(std::span<const DayPartition> partitions) {
    std::optional<sys_days> last;
    for (const auto& partition : partitions) {
        if (is_dated(partition)) last = std::max(last.value_or(*partition.bound), *partition.bound);
    }
    return last;
}

bool is_kept_a_day(const Announcement& announced, WallTime now) {
    return now - announced.since >= announced_for;
}

}  // namespace

std::vector<sys_days> days_to_add(std::span<const DayPartition> partitions, sys_days today, days keep) {
    // After a long stop the days in between get their partitions too, but none that would go at once.
    const auto first = std::max(last_bound(partitions).value_or(today), today - keep);
    std::vector<sys_days> out;
    for (auto day = first; day <= today + partitions_ahead; day += days{1}) out.push_back(day);
    return out;
}

std::optional<sys_days> day_to_announce(std::span<const DayPartition> partitions, sys_days today, days keep,
                                        WallTime now, const std::optional<Announcement>& announced) {
    if (announced && !is_kept_a_day(*announced, now)) return std::nullopt;
    std::optional<sys_days> best;
    for (const auto& partition : partitions) {
        if (!is_dated(partition) || *partition.bound > today - keep) continue;
        if (announced && *partition.bound <= announced->before) continue;
        best = std::max(best.value_or(*partition.bound), *partition.bound);
    }
    return best;
}

std::vector<DayPartition> partitions_to_drop(std::span<const DayPartition> partitions, sys_days today,
                                             days keep, WallTime now,
                                             const std::optional<Announcement>& announced) {
    if (!announced || !is_kept_a_day(*announced, now)) return {};
    const auto before = std::min(announced->before, today - keep);
    std::vector<DayPartition> out;
    for (const auto& partition : partitions) {
        if (is_dated(partition) && *partition.bound <= before) out.push_back(partition);
    }
    std::ranges::sort(out, {}, [](const DayPartition& partition) { return *partition.bound; });
    return out;
}

int days_ahead(std::span<const DayPartition> partitions, sys_days today) {
    const auto last = last_bound(partitions);
    if (!last || *last <= today) return -1;
    return static_cast<int>((*last - today - days{1}).count());
}

std::string partition_name(sys_days day) {
    auto text = to_text(day);
    std::erase(text, '-');
    return "p" + text;
}

}  // namespace sluice::store
