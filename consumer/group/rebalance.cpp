#include <span>

#include "common/failpoint.hpp"
#include "consumer/group/poll_loop.hpp"

/// The group's assignments, eager: everything is given back before anything is handed out again. Runs on the
/// poll thread, inside rd_kafka_consumer_poll or rd_kafka_consumer_close.
namespace sluice::consumer {
namespace {

constexpr Milliseconds quiesce_within{8000};

}  // namespace

void PollLoop::on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                            void* self) {
    auto& loop = *static_cast<PollLoop*>(self);
    if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        loop.assigned(*list);
    } else {
        loop.revoked();
    }
}

void PollLoop::assigned(rd_kafka_topic_partition_list_t& list) {
    const auto code =
        list.cnt == 0 ? RD_KAFKA_RESP_ERR_NO_ERROR : rd_kafka_committed(client_.get(), &list, question_ms);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        // Without the committed offsets a fail-over that lost transactions would go unnoticed: do not start.
        fatal_ = std::string{"the committed offsets cannot be read: "} + rd_kafka_err2str(code);
        assign_nothing();
        return;
    }
    unknown_starts_.clear();
    next_offset_.clear();
    unproven_.clear();
    for (const auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        const bool has_offset = partition.err == RD_KAFKA_RESP_ERR_NO_ERROR && partition.offset >= 0;
        auto& position = unknown_starts_[partition.partition].position;
        if (has_offset)
            position.emplace(partition.offset, rd_kafka_topic_partition_get_leader_epoch(&partition));
    }
    if (list.cnt > 0) (void)find_starts();
    assign_what_is_read();
    group_.rebalances.Increment();
    readiness_.set_ready(settings_.concern);
    log_.info("assigned", {{"topic", settings_.topic},
                           {"partitions", std::int64_t{list.cnt}},
                           {"waiting", static_cast<std::int64_t>(unknown_starts_.size())}});
}

void PollLoop::revoked() {
    if (rd_kafka_assignment_lost(client_.get()) != 0) {
        // Another member may own them already: it finds what we finished since as duplicates.
        log_.warn("assignment_lost", {{"topic", settings_.topic}});
        partitions_.revoke_all();
        assign_nothing();
        return;
    }
    const SteadyTime deadline = clock_.steady() + quiesce_within;
    bool quiet = true;
    for (auto* taker : takers_) quiet = taker->quiesce(deadline) && quiet;
    if (!quiet)
        log_.warn("revoked_in_transaction",
                  {{"reason", "a transaction took too long; its events are read again"}});
    (void)FP("consumer.before_revoke_commit");
    commit_now();
    partitions_.revoke_all();
    assign_nothing();
    for (auto* taker : takers_) taker->resume();
    log_.info("revoked", {{"topic", settings_.topic}});
}

}  // namespace sluice::consumer
