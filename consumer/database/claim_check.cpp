#include "consumer/database/claim_check.hpp"

#include <algorithm>
#include <utility>

#include "common/failpoint.hpp"
#include "consumer/group/gap.hpp"
#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {

ClaimCheck::Verdict ClaimCheck::pass(store::Connection& connection, Session session) {
    if (std::exchange(session_, session.number) != session.number) {
        checked_changes_ = 0;
        // What an earlier session left in doubt stays so until one has passed.
        if (session.is_doubtful) in_doubt_up_to_ = partitions_.newest_generation();
        has_moved_ = has_moved_ || session.has_moved;
    }
    const std::uint64_t changes = partitions_.changes();
    if (checked_changes_ == changes) return Verdict::passed;
    const Verdict verdict = compare(connection);
    if (verdict != Verdict::passed) return verdict;
    checked_changes_ = changes;
    in_doubt_up_to_ = 0;
    has_moved_ = false;
    return verdict;
}

ClaimCheck::Verdict ClaimCheck::compare(store::Connection& connection) {
    // Before the question: what others claim meanwhile is no loss.
    const std::vector<ToCheck> partitions = partitions_.to_check();
    Verdict verdict = forget_void_claims(connection, partitions);
    if (verdict != Verdict::passed) return verdict;
    const auto held = store::applied_offsets(connection, claimant_.group, claimant_.topic_id);
    if (!held) return Verdict::failed;
    for (const ToCheck& partition : partitions) {
        const auto row = held->find(partition.partition);
        const auto applied = row == held->end() ? std::nullopt : std::optional{row->second};
        const AppliedCheck check = check_applied(partition, applied);
        if (check == AppliedCheck::good && !is_in_doubt(partition)) continue;
        if (check == AppliedCheck::good && has_moved_ && partition.read_since_cut) {
            read_all_again(partition, std::nullopt);  // that claim may be of before the cut
        } else if (check == AppliedCheck::good) {
            read_again(partition);
        } else if (check == AppliedCheck::lost) {
            read_all_again(partition, applied);
        } else {
            seek_back(partition, applied, check);
        }
        verdict = Verdict::seeking;
    }
    return verdict;
}

ClaimCheck::Verdict ClaimCheck::forget_void_claims(store::Connection& connection,
                                                   const std::vector<ToCheck>& partitions) {
    for (const ToCheck& partition : partitions) {
        if (!partition.claims_are_void) continue;
        if (!partitions_.begin_forgetting(partition.partition, partition.generation)) return Verdict::seeking;
        const bool done =
            !FP("consumer.before_claims_forgotten") &&
            store::forget_claims(connection, claimant_.group, claimant_.topic_id, partition.partition);
        partitions_.forgot(partition.partition, partition.generation, done);
        if (!done) return Verdict::failed;
        (void)FP("consumer.after_claims_forgotten");
    }
    return Verdict::passed;
}

void ClaimCheck::seek_back(const ToCheck& partition, std::optional<std::int64_t> applied,
                           AppliedCheck verdict) {
    const std::int64_t to = std::max(applied.value_or(partition.log_start), partition.log_start);
    if (!partitions_.ask_rewind(partition.partition, partition.generation, to)) return;
    log_.error("seek_back",
               {{"topic", claimant_.topic},
                {"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", to},
                {"reason", verdict == AppliedCheck::behind
                               ? "MySQL holds less than was committed: a fail-over lost transactions"
                               : "MySQL holds no applied offset although there was one"}});
    if (applied && *applied < partition.log_start) {
        raise_alarm({claimant_.topic, partition.partition, *applied, partition.log_start}, log_, metrics_);
    }
}

void ClaimCheck::read_all_again(const ToCheck& partition, std::optional<std::int64_t> outside) {
    if (!partitions_.distrust(partition.partition, partition.generation, outside)) return;
    log_.error("seek_back",
               {{"topic", claimant_.topic},
                {"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", partition.log_start},
                {"reason", "a fail-over may have brought back applied offsets from before the log was cut"}});
}

bool ClaimCheck::is_in_doubt(const ToCheck& partition) const {
    return partition.generation <= in_doubt_up_to_ && partition.has_begun;
}

void ClaimCheck::read_again(const ToCheck& partition) {
    const std::int64_t from = std::max(partition.known, partition.log_start);
    if (!partitions_.ask_rewind(partition.partition, partition.generation, from)) return;
    log_.info("read_again",
              {{"topic", claimant_.topic},
               {"partition", std::int64_t{partition.partition}},
               {"from", from},
               {"reason", "a new MySQL session: no claim tells whether it holds what was applied above"}});
}

}  // namespace sluice::consumer
