#include "consumer/retry_role/due_queue.hpp"

#include <algorithm>

namespace sluice::consumer {

void DueQueue::keep(Record record, SteadyTime until) {
    const auto [at, is_new] = kept_.try_emplace(record.at.place(), Kept{until, {}});
    at->second.until = std::min(at->second.until, until);
    at->second.records.push_back(std::move(record));
}

std::vector<DueQueue::Due> DueQueue::take_due(SteadyTime now) {
    std::vector<std::pair<SteadyTime, Due>> taken;
    for (auto at = kept_.begin(); at != kept_.end();) {
        if (at->second.until > now) {
            ++at;
            continue;
        }
        taken.push_back({at->second.until, {at->first, std::move(at->second.records)}});
        at = kept_.erase(at);
    }
    std::ranges::stable_sort(taken, {}, [](const auto& one) { return one.first; });
    std::vector<Due> due;
    due.reserve(taken.size());
    for (auto& one : taken) due.push_back(std::move(one.second));
    return due;
}

std::optional<SteadyTime> DueQueue::next() const {
    const auto first = std::ranges::min_element(kept_, {}, [](const auto& one) { return one.second.until; });
    return first == kept_.end() ? std::nullopt : std::optional{first->second.until};
}

Milliseconds poll_wait(std::optional<SteadyTime> next_due, SteadyTime now, Milliseconds most) {
    if (!next_due) return most;
    return std::clamp(std::chrono::ceil<Milliseconds>(*next_due - now), Milliseconds{0}, most);
}

SteadyTime hold_until(WallTime due, Milliseconds delay, WallTime wall, SteadyTime steady) {
    return steady + std::clamp<std::chrono::microseconds>(due - wall, std::chrono::microseconds{0}, delay);
}

}  // namespace sluice::consumer
