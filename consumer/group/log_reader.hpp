#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/result.hpp"
#include "consumer/group/group_member.hpp"
#include "consumer/group/read_from.hpp"

namespace sluice::consumer {

/// The loop of the main role and of side readers: reads one topic of which no record may be lost. It starts
/// each partition where MySQL and Kafka agree, raises an alarm where records are gone, hands each record out
/// at once, and reads again what workers ask for (consumer/database/applied_offset_check.hpp).
class LogReader final : public GroupMember {
public:
    struct Settings {
        std::string role = "main";      ///< of metrics
        std::string concern = "kafka";  ///< of readiness
        std::string client_id;
        std::string group;
        std::string assignors;
        std::string topic;
        std::size_t buffer_bytes = 64 << 20;
        Purpose purpose = Purpose::apply;
    };

    /// As GroupMember.
    LogReader(const config::KafkaSettings& kafka, const Settings& settings, Partitions& partitions, Log& log,
              Metrics& metrics, Readiness& readiness, const Clock& clock);

    /// A record in partition `spread` or above is fatal: some producer spreads keys differently.
    void start(std::vector<RecordTaker*> takers, int spread = std::numeric_limits<int>::max());
    void turn() override;

private:
    static constexpr int question_ms = 10'000;  // for what is asked of a broker on this thread

    void assigned(rd_kafka_topic_partition_list_t& list) override;
    void receive(kafka::Message message) override;
    void failed(const rd_kafka_message_t& message) override;
    void store_offsets() override;
    void giving_back(bool quiet) override;
    void gave_back(bool lost) override;

    // A partition of ours that is not read on before its log's bounds are known.
    struct UnknownStart {
        std::optional<LogPosition> position;
        bool is_refused = false;  // by the client
        std::string said;         // why it is unknown, as last logged
    };
    void look_for_starts();
    [[nodiscard]] bool find_starts();
    [[nodiscard]] Result<LogBounds> ask_bounds(AskingRound& round, std::int32_t partition);
    [[nodiscard]] bool begin_reading(std::int32_t partition, UnknownStart& start, const LogBounds& log);
    [[nodiscard]] bool restart(std::int32_t partition, UnknownStart& start, const LogBounds& log);
    void say_unknown(std::int32_t partition, UnknownStart& start, std::string reason);
    void assign_what_is_read();
    void forget_positions();

    // The client (librdkafka 2.8) does not compare leader epochs at the position where it starts. So reading
    // starts one record earlier: that must be the record that was read last.
    [[nodiscard]] bool is_proof(const rd_kafka_message_t& message);

    void rewind();
    void seek(rd_kafka_topic_partition_list_t& list, const std::vector<LogPosition>& sought);
    void go_back(std::int32_t partition, const LogPosition& to);
    void commit_firsts(std::vector<Partitions::Storable> stored);

    void export_settled();
    Gauge& settled_gauge(std::int32_t partition);

    const std::string topic_;
    const Purpose purpose_;
    Gauge& waiting_;
    int spread_ = 0;
    std::map<std::int32_t, LogPosition> next_offset_;  // of each partition that is read: handed out next
    std::map<std::int32_t, LogPosition> unproven_;     // of those, where the record before has not come yet
    std::map<std::int32_t, UnknownStart> unknown_starts_;
    SteadyTime next_round_{};  // of questions for them
    std::map<std::int32_t, Gauge*> settled_gauges_;
};

}  // namespace sluice::consumer
