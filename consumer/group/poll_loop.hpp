#pragma once

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/result.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/group/backpressure.hpp"
#include "consumer/group/group_metrics.hpp"
#include "consumer/group/lag_gauges.hpp"
#include "consumer/group/read_from.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/record/record_taker.hpp"

namespace sluice::consumer {

/// A consumer group's member for one topic: polls one message at a time, tags it with its partition's
/// generation, hands it to the taker of its key, stores what was claimed, carries out seek-backs and
/// rebalances. The only thread that talks to the group. Eager assignor, no batch API: what librdkafka 2.8
/// does right.
class PollLoop {
public:
    struct Settings {
        std::string role = "main";      ///< of metrics
        std::string concern = "kafka";  ///< of readiness
        std::string client_id;
        std::string group;
        std::string assignors;
        std::string topic;
        std::size_t buffer_bytes = 64 << 20;
    };

    /// Throws config::Refused where the Kafka settings cannot be used.
    PollLoop(const config::KafkaSettings& kafka, Settings settings, Partitions& partitions, Log& log,
             Metrics& metrics, Readiness& readiness, const Clock& clock);
    ~PollLoop();

    /// For questions about the topic, before `start` too.
    [[nodiscard]] rd_kafka_t& client() noexcept { return *client_; }

    /// Joins the group. The takers outlive the loop's last `turn`; records of one key go to one of them. A
    /// record in partition `spread` or above is fatal: some producer spreads keys differently.
    void start(std::vector<RecordTaker*> takers, int spread = std::numeric_limits<int>::max());
    /// One message or 50 ms, whichever is first, and everything else that is due.
    void turn();
    /// The workers are stopped: stores what they claimed, leaves the group.
    void leave();

    /// Why the process has to end; empty while it need not.
    [[nodiscard]] const std::string& fatal() const noexcept { return fatal_; }
    /// When `turn` last returned, for /livez.
    [[nodiscard]] SteadyTime last_turn() const noexcept { return last_turn_; }

private:
    static constexpr int question_ms = 10'000;  // for what is asked of a broker on this thread

    static void on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                             void* self);
    void assigned(rd_kafka_topic_partition_list_t& list);
    void revoked();

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
    void assign_nothing();

    // The client (librdkafka 2.8) does not compare leader epochs at the position where it starts. So reading
    // starts one record earlier: that must be the record that was read last.
    [[nodiscard]] bool is_proof(const rd_kafka_message_t& message);

    void take(kafka::Message message);
    void failed(const rd_kafka_message_t& message);
    void hand_out(kafka::Message message);
    void rewind();
    void seek(rd_kafka_topic_partition_list_t& list, const std::vector<LogPosition>& sought);
    void go_back(std::int32_t partition, const LogPosition& to);
    void apply_backpressure();
    void set_paused(bool paused);
    void store_offsets();
    void commit_firsts(const std::vector<Partitions::Storable>& stored);
    [[nodiscard]] kafka::PartitionList list_of(const std::vector<Partitions::Storable>& stored) const;
    void commit_now();
    void export_lag();

    Gauge& settled_gauge(std::int32_t partition);

    Settings settings_;
    Partitions& partitions_;
    Log& log_;
    Metrics& metrics_;
    Readiness& readiness_;
    const Clock& clock_;
    GroupMetrics group_;
    Gauge& waiting_;
    Backpressure backpressure_;
    std::shared_ptr<std::atomic<std::size_t>> bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
    kafka::Client client_;
    std::vector<RecordTaker*> takers_;
    int spread_ = 0;
    std::map<std::int32_t, LogPosition> next_offset_;  // of each partition that is read: handed out next
    std::map<std::int32_t, LogPosition> unproven_;     // of those, where the record before has not come yet
    std::map<std::int32_t, UnknownStart> unknown_starts_;
    SteadyTime next_round_{};  // of questions for them
    SteadyTime next_chores_{};
    std::atomic<SteadyTime> last_turn_{};
    LagGauges lag_gauges_;
    std::map<std::int32_t, Gauge*> settled_gauges_;
    std::string fatal_;
};

}  // namespace sluice::consumer
