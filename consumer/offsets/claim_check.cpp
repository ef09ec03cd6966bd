#include "consumer/offsets/claim_check.hpp"

#include <algorithm>
#include <utility>

#include "consumer/gap.hpp"
#include "consumer/store/applied_offset.hpp"

namespace sluice::consumer {

ClaimCheck::Verdict ClaimCheck::pass(store::Connection& connection, std::uint64_t session) {
    if (std::exchange(session_, session) != session) checked_changes_ = 0;
    const std::uint64_t changes = partitions_.changes();
    if (checked_changes_ == changes) return Verdict::passed;
    const Verdict verdict = compare(connection);
    if (verdict == Verdict::passed) checked_changes_ = changes;
    return verdict;
}

ClaimCheck::Verdict ClaimCheck::compare(store::Connection& connection) {
    const auto held = store::applied_offsets(connection, claimant_.group, claimant_.topic_id);
    if (!held) return Verdict::failed;
    Verdict verdict = Verdict::passed;
    for (const ToCheck& partition : partitions_.to_check()) {
        const auto row = held->find(partition.partition);
        const auto applied = row == held->end() ? std::nullopt : std::optional{row->second};
        const AppliedCheck check = check_applied(partition, applied);
        if (check == AppliedCheck::good) continue;
        seek_back(partition, applied, check);
        verdict = Verdict::seeking;
    }
    return verdict;
}

void ClaimCheck::seek_back(const ToCheck& partition, std::optional<std::int64_t> applied,
                           AppliedCheck verdict) {
    const std::int64_t to = std::max(applied.value_or(partition.log_start), partition.log_start);
    log_.error("seek_back",
               {{"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", to},
                {"reason", verdict == AppliedCheck::behind
                               ? "MySQL holds less than was committed: a fail-over lost transactions"
                               : "MySQL holds no applied offset although Kafka has one"}});
    if (applied && *applied < partition.log_start) {
        raise_alarm({partition.partition, *applied, partition.log_start}, log_, metrics_);
    }
    partitions_.ask_rewind(partition.partition, partition.generation, to);
}

}  // namespace sluice::consumer
