#include "consumer/retry_role/arrival_rate.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

namespace sluice::consumer {
namespace {

constexpr std::chrono::minutes window{2};
constexpr std::chrono::seconds least_window{30};

bool can_be_compared(const TopicEnds& before, const TopicEnds& now) {
    return std::ranges::equal(before, now, [](const auto& was, const auto& is) {
        return was.first == is.first && was.second <= is.second;
    });
}

std::int64_t sum_of(const TopicEnds& ends) {
    const auto each = std::views::values(ends);
    return std::accumulate(each.begin(), each.end(), std::int64_t{0});
}

}  // namespace

void ArrivalRate::saw(SteadyTime now, TopicEnds ends) {
    if (!can_be_compared(last_, ends)) looks_.clear();
    looks_.push_back({now, sum_of(ends)});
    last_ = std::move(ends);
    while (looks_.size() > 1 && now - looks_[1].at >= window) looks_.pop_front();
}

std::optional<double> ArrivalRate::per_second() const {
    if (looks_.empty()) return std::nullopt;
    const auto& first = looks_.front();
    const auto& last = looks_.back();
    if (last.at - first.at < least_window) return std::nullopt;
    const std::chrono::duration<double> between = last.at - first.at;
    return static_cast<double>(last.sum - first.sum) / between.count();
}

int pods_for(double rate, int pod_rate, int partitions) {
    for (int pods = 1; pods < partitions; ++pods) {
        if (partitions % pods == 0 && pods * static_cast<double>(pod_rate) >= rate) return pods;
    }
    return partitions;
}

}  // namespace sluice::consumer
