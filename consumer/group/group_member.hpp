#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/group/backpressure.hpp"
#include "consumer/group/group_metrics.hpp"
#include "consumer/group/lag_gauges.hpp"
#include "consumer/group/member_client.hpp"
#include "consumer/group/member_topics.hpp"
#include "consumer/offsets/partitions.hpp"
#include "consumer/offsets/purpose.hpp"
#include "consumer/record/record_taker.hpp"

namespace sluice::consumer {

/// A consumer group's member: polls one message at a time, hands records to the takers of their keys, pauses
/// while those cannot follow, stores offsets, carries out rebalances. The only thread that talks to the
/// group. Where a partition is read from and when a record is handed out is for the class that derives:
/// LogReader, RetryLoop. Eager assignor, no batch API: what librdkafka 2.8 does right.
class GroupMember {
public:
    /// What the role calls some of this.
    struct Words {
        std::string client = "the Kafka client";
        std::string paused = "paused";
        std::string resumed = "resumed";
        std::string commit_failed = "commit_failed";
    };
    struct Settings {
        std::string role;     ///< of metrics
        std::string concern;  ///< of readiness
        MemberSettings member;
        std::vector<std::string> topics;
        std::size_t buffer_bytes = 0;  ///< of records that are handed out and not finished
        Words words{};                 ///< of the log
        Purpose purpose = Purpose::apply;
    };

    GroupMember(const GroupMember&) = delete;
    GroupMember& operator=(const GroupMember&) = delete;
    virtual ~GroupMember();

    /// For questions about the topics, before `start` too.
    [[nodiscard]] rd_kafka_t& client() noexcept { return *client_; }

    /// Joins the group. The takers outlive the loop's last `turn`; records of one key go to one of them.
    void start(std::vector<RecordTaker*> takers);
    /// Some messages or 50 ms, whichever is first, and everything else that is due.
    virtual void turn() = 0;
    /// The takers are stopped: stores what they settled, leaves the group.
    void leave();

    /// Why the process has to end; empty while it need not.
    [[nodiscard]] const std::string& fatal() const noexcept { return fatal_; }
    /// When `turn` last polled, for /livez.
    [[nodiscard]] SteadyTime last_turn() const noexcept { return last_turn_; }

protected:
    static constexpr Milliseconds longest_poll{50};

    /// Throws config::Refused where the Kafka settings cannot be used. All but `settings` outlive it.
    GroupMember(const config::KafkaSettings& kafka, Settings settings, Partitions& partitions, Log& log,
                Metrics& metrics, Readiness& readiness, const Clock& clock);

    // What a role does its own way.
    /// `list` holds the group's committed offsets, negative where there is none.
    virtual void assigned(rd_kafka_topic_partition_list_t& list) = 0;
    virtual void receive(kafka::Message message) = 0;
    virtual void failed(const rd_kafka_message_t& message);
    /// A partition that backpressure neither pauses nor resumes.
    [[nodiscard]] virtual bool is_kept(Place) const { return false; }
    /// Hands to `store` what may be stored.
    virtual void store_offsets() = 0;
    /// Partitions are about to be given back, with a last commit. `quiet`: no taker has work under way.
    virtual void giving_back(bool quiet) = 0;
    /// They are given back, or `lost`: another member may own them already.
    virtual void gave_back(bool lost) = 0;

    // What a turn and an assignment consist of.
    /// One message, or what is wrong. False: none came.
    bool poll(Milliseconds wait);
    [[nodiscard]] bool are_chores_due();  ///< five times a second
    void do_chores();                     ///< pauses, stores offsets, shows the lag
    void assign(rd_kafka_topic_partition_list_t& list);
    void say_assigned();  ///< to metrics and readiness

    [[nodiscard]] Record record_of(kafka::Message message) const;
    /// To the taker of its key, which has it after `hand_over`. One whose partition was given back in between
    /// is of an old generation then, and its taker drops it.
    void hand_out(Record record);
    void hand_over();
    void set_paused(const std::vector<Place>& places, bool paused);
    [[nodiscard]] bool is_paused() const noexcept { return backpressure_.paused(); }
    /// Returns what the client took. It commits that within a second.
    std::vector<Partitions::Storable> store(const std::vector<Partitions::Storable>& storable);
    void end(std::string why) { fatal_ = std::move(why); }

    const MemberTopics topics_;
    Partitions& partitions_;
    Log& log_;
    Metrics& metrics_;
    const Clock& clock_;

private:
    static void on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                             void* self);
    void offered(rd_kafka_topic_partition_list_t& list);
    void take_none();  ///< refuses what is offered
    void revoked();
    /// The group's offsets into `list`, negative where it has none; asked for ten seconds, or why not.
    [[nodiscard]] std::expected<void, std::string> read_committed(rd_kafka_topic_partition_list_t& list);
    void commit_now();
    void apply_backpressure();
    [[nodiscard]] std::vector<Place> assigned_places() const;
    void export_lag();

    const Settings settings_;
    Readiness& readiness_;
    GroupMetrics group_;
    Backpressure backpressure_;
    std::shared_ptr<std::atomic<std::size_t>> bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
    kafka::Client client_;
    bool has_assignment_ = false;
    bool is_leaving_ = false;
    bool is_over_ = false;  // the derived part is gone, and the takers: a failed start was never left
    std::vector<RecordTaker*> takers_;
    std::vector<Items> handed_out_;  // by taker
    SteadyTime next_chores_{};
    std::atomic<SteadyTime> last_turn_{};
    LagGauges lag_gauges_;
    std::string fatal_;
};

}  // namespace sluice::consumer
