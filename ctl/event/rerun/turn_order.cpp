#include "ctl/event/rerun/turn_order.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace sluice::ctl {
namespace {

constexpr std::chrono::minutes between_logs{1};

/// How many of `targets`, which are of one partition and in the order of their receipt, are of one log.
std::size_t length_of_log(std::span<const RerunTarget> targets) {
    const RerunTarget* highest = &targets.front();
    std::size_t length = 1;
    for (; length < targets.size(); ++length) {
        const RerunTarget& next = targets[length];
        if (next.offset > highest->offset)
            highest = &next;
        else if (next.received_at - highest->received_at > between_logs)
            break;
    }
    return length;
}

}  // namespace

void into_turns(std::vector<RerunTarget>& targets) {
    std::ranges::sort(targets, {}, [](const RerunTarget& target) {
        return std::tuple{std::string_view{target.topic}, target.partition, target.received_at,
                          target.offset};
    });
    for (std::span<RerunTarget> rest{targets}; !rest.empty();) {
        const auto other = std::ranges::find_if(rest, [&](const RerunTarget& target) {
            return target.topic != rest.front().topic || target.partition != rest.front().partition;
        });
        const std::span<RerunTarget> partition{rest.begin(), other};
        const auto log = partition.first(length_of_log(partition));
        const WallTime began = log.front().received_at;
        for (RerunTarget& target : log) target.log_began = began;
        rest = rest.subspan(log.size());
    }
    std::ranges::sort(targets, {}, [](const RerunTarget& target) {
        return std::tuple{target.log_began, std::string_view{target.topic}, target.partition, target.offset};
    });
}

}  // namespace sluice::ctl
