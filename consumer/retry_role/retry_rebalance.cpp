#include <span>

#include "common/failpoint.hpp"
#include "consumer/retry_role/retry_loop.hpp"

/// The retry group's assignments and offsets, eager as the main role's (consumer/group/rebalance.cpp). Runs
/// on the poll thread, inside rd_kafka_consumer_poll or rd_kafka_consumer_close.
namespace sluice::consumer {
namespace {

constexpr Milliseconds retry_quiesce_within{8000};

}  // namespace

void RetryLoop::on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                             void* self) {
    auto& loop = *static_cast<RetryLoop*>(self);
    if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        loop.assigned(*list);
    } else {
        loop.revoked();
    }
}

// The client starts each partition where the group stands, or at the log's start.
void RetryLoop::assigned(rd_kafka_topic_partition_list_t& list) {
    for (const auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        if (const auto topic = index_of(partition.topic)) offsets_.assign({*topic, partition.partition});
    }
    // What was paused before stays so over a rebalance, and nothing would resume it: due_ is empty now.
    (void)rd_kafka_resume_partitions(client_.get(), &list);
    (void)rd_kafka_assign(client_.get(), &list);
    backpressure_.reassigned();
    group_.rebalances.Increment();
    readiness_.set_ready("retry_group");
    log_.info("retry_assigned", {{"partitions", std::int64_t{list.cnt}}});
}

void RetryLoop::revoked() {
    due_.clear();  // not begun: the next owner reads them
    const bool lost = rd_kafka_assignment_lost(client_.get()) != 0;
    if (!lost) {
        const SteadyTime deadline = clock_.steady() + retry_quiesce_within;
        bool quiet = true;
        for (const auto& worker : *workers_) quiet = worker->quiesce(deadline) && quiet;
        if (!quiet)
            log_.warn("revoked_in_visit", {{"reason", "a visit took too long; its record is read again"}});
        (void)FP("consumer.before_retry_revoke_commit");
        commit_now();
    }
    offsets_.revoke_all();
    (void)rd_kafka_assign(client_.get(), nullptr);
    for (const auto& worker : *workers_) worker->resume();
    log_.info(lost ? "retry_assignment_lost" : "retry_revoked", {});
}

void RetryLoop::store_offsets() {
    const auto storable = offsets_.storable();
    if (storable.empty()) return;
    if (FP("consumer.before_retry_offset_store")) return;
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(storable.size()))};
    for (const auto& what : storable) {
        const std::string& topic = settings_.topics[what.place.topic].name;
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), what.place.partition)->offset =
            what.offset;
    }
    (void)rd_kafka_offsets_store(client_.get(), list.get());
    for (int i = 0; i < list->cnt; ++i) {
        // Of a partition that was revoked meanwhile the next owner decides. Others come again.
        const auto code = list->elems[i].err;
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR__STATE) {
            offsets_.stored(storable[static_cast<std::size_t>(i)]);
        }
    }
}

void RetryLoop::commit_now() {
    store_offsets();
    const auto code = rd_kafka_commit(client_.get(), nullptr, 0);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR__NO_OFFSET) {
        log_.warn("retry_commit_failed", {{"reason", rd_kafka_err2str(code)}});
    }
}

void RetryLoop::leave() {
    commit_now();
    rd_kafka_consumer_close(client_.get());
}

std::vector<Place> RetryLoop::assigned_places() const {
    rd_kafka_topic_partition_list_t* assignment = nullptr;
    if (rd_kafka_assignment(client_.get(), &assignment) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    const kafka::PartitionList owned{assignment};
    std::vector<Place> places;
    for (const auto& partition : std::span{owned->elems, static_cast<std::size_t>(owned->cnt)}) {
        if (const auto topic = index_of(partition.topic)) places.push_back({*topic, partition.partition});
    }
    return places;
}

}  // namespace sluice::consumer
