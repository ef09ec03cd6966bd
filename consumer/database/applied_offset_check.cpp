#include "consumer/database/applied_offset_check.hpp"

#include <algorithm>
#include <utility>

#include "common/failpoint.hpp"
#include "consumer/group/gap.hpp"
#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {

AppliedOffsetCheck::Verdict AppliedOffsetCheck::pass(store::Connection& connection, Session session) {
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

AppliedOffsetCheck::Verdict AppliedOffsetCheck::compare(store::Connection& connection) {
    // Before the question: what others write meanwhile is no loss.
    const std::vector<ToCheck> partitions = partitions_.to_check();
    Verdict verdict = forget_void_rows(connection, partitions);
    if (verdict != Verdict::passed) return verdict;
    const auto held = store::applied_offsets(connection, writer_.group, writer_.topic_id);
    if (!held) return Verdict::failed;
    for (const ToCheck& partition : partitions) {
        const auto row = held->find(partition.partition);
        const auto applied = row == held->end() ? std::nullopt : std::optional{row->second};
        const AppliedCheck check = check_applied(partition, applied, doubt_of(partition));
        if (check == AppliedCheck::good) continue;
        act(partition, applied, check);
        verdict = Verdict::seeking;
    }
    return verdict;
}

Doubt AppliedOffsetCheck::doubt_of(const ToCheck& partition) const {
    if (partition.generation > in_doubt_up_to_) return Doubt::none;
    return has_moved_ ? Doubt::server_moved : Doubt::session_lost;
}

void AppliedOffsetCheck::act(const ToCheck& partition, std::optional<std::int64_t> applied,
                             AppliedCheck check) {
    switch (check) {
        case AppliedCheck::good:
            return;
        case AppliedCheck::behind:
        case AppliedCheck::unknown:
            return seek_back(partition, applied, check);
        case AppliedCheck::in_doubt:
            return read_again(partition);
        case AppliedCheck::lost:
            return read_all_again(partition,
                                  doubt_of(partition) == Doubt::server_moved ? std::nullopt : applied);
    }
}

AppliedOffsetCheck::Verdict AppliedOffsetCheck::forget_void_rows(store::Connection& connection,
                                                                 const std::vector<ToCheck>& partitions) {
    for (const ToCheck& partition : partitions) {
        if (!partition.rows_are_void) continue;
        if (!partitions_.begin_forgetting(partition.partition, partition.generation)) return Verdict::seeking;
        const bool done =
            !FP("consumer.before_applied_offsets_forgotten") &&
            store::forget_applied_offsets(connection, writer_.group, writer_.topic_id, partition.partition);
        partitions_.forgot(partition.partition, partition.generation, done);
        if (!done) return Verdict::failed;
        (void)FP("consumer.after_applied_offsets_forgotten");
    }
    return Verdict::passed;
}

void AppliedOffsetCheck::seek_back(const ToCheck& partition, std::optional<std::int64_t> applied,
                                   AppliedCheck check) {
    const std::int64_t to = std::max(applied.value_or(partition.log_start), partition.log_start);
    if (!partitions_.ask_rewind(partition.partition, partition.generation, to)) return;
    log_.error("seek_back",
               {{"topic", writer_.topic},
                {"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", to},
                {"reason", check == AppliedCheck::behind
                               ? "MySQL has less than was committed: a failover lost transactions"
                               : "MySQL has lost the applied offset"}});
    if (applied && *applied < partition.log_start) {
        raise_alarm({writer_.topic, partition.partition, *applied, partition.log_start, writer_.purpose},
                    log_, metrics_);
    }
}

void AppliedOffsetCheck::read_all_again(const ToCheck& partition, std::optional<std::int64_t> outside) {
    if (!partitions_.distrust(partition.partition, partition.generation, outside)) return;
    log_.error("seek_back",
               {{"topic", writer_.topic},
                {"partition", std::int64_t{partition.partition}},
                {"known", partition.known},
                {"to", partition.log_start},
                {"reason", "a failover may have brought back applied offsets from before the log was cut"}});
}

void AppliedOffsetCheck::read_again(const ToCheck& partition) {
    const std::int64_t from = std::max(partition.known, partition.log_start);
    if (!partitions_.ask_rewind(partition.partition, partition.generation, from)) return;
    log_.info(
        "read_again",
        {{"topic", writer_.topic},
         {"partition", std::int64_t{partition.partition}},
         {"from", from},
         {"reason",
          "new MySQL session: no applied offset shows whether it has what was applied after this point"}});
}

}  // namespace sluice::consumer
