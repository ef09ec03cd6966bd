#include "consumer/offsets/leader_epochs.hpp"

#include <iterator>

namespace sluice::consumer {

void LeaderEpochs::note(std::int64_t offset, std::int32_t epoch) {
    if (firsts_.rbegin()->second != epoch) firsts_.insert_or_assign(offset, epoch);
}

std::int32_t LeaderEpochs::below(std::int64_t offset) const {
    const auto after = firsts_.lower_bound(offset);
    return after == firsts_.begin() ? unknown_epoch : std::prev(after)->second;
}

void LeaderEpochs::forget_below(std::int64_t offset) {
    const auto after = firsts_.lower_bound(offset);
    if (after != firsts_.begin()) firsts_.erase(firsts_.begin(), std::prev(after));
}

}  // namespace sluice::consumer
