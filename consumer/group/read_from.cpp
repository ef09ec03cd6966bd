#include "consumer/group/read_from.hpp"

namespace sluice::consumer {

ReadFrom read_from(std::optional<std::int64_t> position, const LogBounds& log, bool is_refused) noexcept {
    using Because = ReadFrom::Because;
    if (!position) return {log.start, Because::beginning};
    if (*position < log.start) return {log.start, Because::dropped};
    if (*position > log.end || (is_refused && *position > log.start)) return {log.start, Because::truncated};
    return {*position, Because::position};
}

bool AskingRound::is_worth_asking(std::int32_t partition) const {
    const auto leader = leaders_.find(partition);
    return leader != leaders_.end() && !silent_.contains(leader->second);
}

void AskingRound::got_no_answer(std::int32_t partition) {
    const auto leader = leaders_.find(partition);
    if (leader != leaders_.end()) silent_.insert(leader->second);
}

}  // namespace sluice::consumer
