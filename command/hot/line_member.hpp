#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "command/config/line_settings.hpp"
#include "command/hot/waiting_line.hpp"
#include "common/clock.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::command {

/// A member of the group that books: reads the topic, and commits how far it is booked. One thread's. Where a
/// partition is given to another member, what waits of it is forgotten; that one reads it again.
class LineMember {
public:
    /// All outlive it. Throws config::Refused for settings that librdkafka refuses.
    LineMember(const LineSettings& settings, WaitingLine& line, Log& log);
    /// Leaves the group; what was booked is committed before.
    ~LineMember();
    LineMember(const LineMember&) = delete;
    LineMember& operator=(const LineMember&) = delete;

    /// The next record; nothing: none came in that time. Rebalances happen in here.
    [[nodiscard]] kafka::Message poll(Milliseconds wait);
    /// Partitions are booked up to these offsets. Does not wait for the broker.
    void commit(const std::map<std::int32_t, std::int64_t>& next);
    /// Reads no more of partitions of which too much waits, and goes on with the others.
    void hold_back();

    /// Why another one is to be made; empty: it works.
    [[nodiscard]] const std::string& broken() const noexcept { return broken_; }
    /// How many partitions are ours.
    [[nodiscard]] std::size_t partitions() const noexcept { return next_.size(); }
    /// How often records were gone before they were booked.
    [[nodiscard]] int gaps() const noexcept { return gaps_; }

private:
    static void on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                             void* self);
    [[nodiscard]] bool read_committed(rd_kafka_topic_partition_list_t& list);
    void assigned(rd_kafka_topic_partition_list_t& list);
    void revoked(bool is_lost);
    void failed(const rd_kafka_message_t& message);
    void begin_again(const rd_kafka_message_t& message);
    void read_from(const rd_kafka_topic_partition_list_t& list);
    [[nodiscard]] kafka::PartitionList list_of(const std::map<std::int32_t, std::int64_t>& offsets) const;

    const std::string topic_;
    WaitingLine& line_;
    Log& log_;
    std::map<std::int32_t, std::int64_t> booked_;  // the offset that is next
    std::map<std::int32_t, std::int64_t> next_;    // of what is ours: read next
    std::set<std::int32_t> held_back_;
    std::string broken_;
    int gaps_ = 0;
    bool is_leaving_ = false;
    kafka::Client client_;  // last: its callback uses the others
};

}  // namespace sluice::command
