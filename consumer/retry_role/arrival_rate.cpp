#include "consumer/retry_role/arrival_rate.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::minutes window{2};
constexpr std::chrono::seconds least_window{30};

bool can_be_compared(TopicEnds before, TopicEnds now) {
    return before.partitions == now.partitions && before.sum <= now.sum;
}

}  // namespace

void ArrivalRate::saw(SteadyTime now, TopicEnds ends) {
    if (!looks_.empty() && !can_be_compared(looks_.back().ends, ends)) looks_.clear();
    looks_.push_back({now, ends});
    while (looks_.size() > 1 && now - looks_[1].at >= window) looks_.pop_front();
}

std::optional<double> ArrivalRate::per_second() const {
    if (looks_.empty()) return std::nullopt;
    const auto [first, last] = std::pair{looks_.front(), looks_.back()};
    if (last.at - first.at < least_window) return std::nullopt;
    const std::chrono::duration<double> between = last.at - first.at;
    return static_cast<double>(last.ends.sum - first.ends.sum) / between.count();
}

int pods_for(double rate, int pod_rate, int partitions) {
    for (int pods = 1; pods < partitions; ++pods) {
        if (partitions % pods == 0 && pods * static_cast<double>(pod_rate) >= rate) return pods;
    }
    return partitions;
}

}  // namespace sluice::consumer
