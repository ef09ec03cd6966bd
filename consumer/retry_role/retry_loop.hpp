#pragma once

#include <vector>

#include "consumer/group/group_member.hpp"
#include "consumer/retry_role/due_queue.hpp"
#include "consumer/retry_role/retry_topic.hpp"

namespace sluice::consumer {

/// The loop of the retry role, a member of the group `<group>.retry`: hands a record out once it is due. A
/// record that is not due is kept and its partition paused, so that no other partition waits for it.
class RetryLoop final : public GroupMember {
public:
    /// As GroupMember. `topics` outlives it.
    RetryLoop(const config::KafkaSettings& kafka, const std::vector<RetryTopic>& topics,
              Partitions& partitions, Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock);

    void turn() override;

private:
    void assigned(rd_kafka_topic_partition_list_t& list) override;
    void receive(kafka::Message message) override;
    [[nodiscard]] bool is_kept(Place place) const override { return due_.is_kept(place); }
    void store_offsets() override;
    void giving_back(bool quiet) override;
    void gave_back(bool lost) override;

    [[nodiscard]] WallTime due_time(const Record& record);
    void give_due();

    const std::vector<RetryTopic>& retry_topics_;
    Counter& polls_;
    Counter& refused_;
    Gauge& kept_;
    DueQueue due_;
};

}  // namespace sluice::consumer
