#include "ingress/publish/partition_queue.hpp"

namespace sluice::publish {

std::expected<void, Published> PartitionQueue::offer(rd_kafka_t& client, rd_kafka_topic_t& topic,
                                                     Outgoing& record, SteadyTime::duration within,
                                                     SteadyTime now) {
    const std::scoped_lock lock{mutex_};
    const std::size_t bytes = record.delivery().bytes;
    if (!estimate_.in_time(bytes, within, now)) return std::unexpected{Published::shed};
    const bool leaves = gathering_.leaves_at_once();
    if (leaves) {
        if (const auto error = record.hand_over(client, topic); error != RD_KAFKA_RESP_ERR_NO_ERROR)
            return std::unexpected{outcome_of(error)};
        gathering_.left();
    } else {
        gathered_.push_back(std::move(record));
        gathering_.gathered();
    }
    estimate_.queued(bytes, leaves, now);
    return {};
}

void PartitionQueue::settled(rd_kafka_t& client, rd_kafka_topic_t& topic, std::size_t count,
                             std::size_t bytes, SteadyTime now,
                             std::vector<std::unique_ptr<Delivery>>& failed) {
    const std::scoped_lock lock{mutex_};
    std::size_t leaving = gathering_.settled(count);
    estimate_.settled(bytes, leaving > 0 || gathering_.outstanding() == 0, now);
    for (; leaving > 0; --leaving) {
        Outgoing& record = gathered_.front();
        const std::size_t size = record.delivery().bytes;
        if (const auto error = record.hand_over(client, topic); error != RD_KAFKA_RESP_ERR_NO_ERROR) {
            gathering_.withdrawn();
            estimate_.settled(size, gathering_.outstanding() == 0, now);
            failed.push_back(record.failed(outcome_of(error)));
        }
        gathered_.pop_front();
    }
}

void PartitionQueue::settled_for_good(std::size_t count, std::size_t bytes, SteadyTime now) {
    const std::scoped_lock lock{mutex_};
    static_cast<void>(gathering_.settled(count));
    estimate_.settled(bytes, gathering_.outstanding() == 0, now);
}

void PartitionQueue::abandon(SteadyTime now, std::vector<std::unique_ptr<Delivery>>& failed) {
    const std::scoped_lock lock{mutex_};
    static_cast<void>(gathering_.give_up_gathered());
    for (Outgoing& record : gathered_) {
        estimate_.settled(record.delivery().bytes, false, now);
        failed.push_back(record.failed(Published::unavailable));
    }
    gathered_.clear();
}

Published outcome_of(rd_kafka_resp_err_t refused) noexcept {
    switch (refused) {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL:
            return Published::shed;
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
            return Published::too_large;
        default:
            return Published::unavailable;
    }
}

}  // namespace sluice::publish
