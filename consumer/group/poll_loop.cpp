#include "consumer/group/poll_loop.hpp"

#include <algorithm>
#include <functional>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/kafka/error.hpp"
#include "common/kafka/topic_facts.hpp"
#include "consumer/group/gap.hpp"
#include "consumer/group/member_client.hpp"
#include "consumer/record/polled_record.hpp"

namespace sluice::consumer {
namespace {

constexpr int poll_ms = 50;
constexpr Milliseconds between_chores{200};

MemberSettings member_of(const PollLoop::Settings& loop) {
    const auto kibibytes = std::max<std::size_t>(loop.buffer_bytes / 4096, 1024);
    return {.name = loop.client_id,
            .group = loop.group,
            .assignors = loop.assignors,
            .offset_reset = "error",
            .fetching = {{"queued.max.messages.kbytes", std::to_string(kibibytes)}}};
}

}  // namespace

PollLoop::PollLoop(const config::KafkaSettings& kafka, Settings settings, Partitions& partitions, Log& log,
                   Metrics& metrics, Readiness& readiness, const Clock& clock)
    : settings_{std::move(settings)},
      partitions_{partitions},
      log_{log},
      metrics_{metrics},
      readiness_{readiness},
      clock_{clock},
      group_{metrics, settings_.role.c_str()},
      waiting_{metrics.gauge(
          "sluice_consumer_partitions_waiting",
          "Partitions of the process that are not read because no broker says where their log starts",
          {{"role", settings_.role}})},
      backpressure_{settings_.buffer_bytes},
      client_{make_member_client(kafka, member_of(settings_), this, on_rebalance,
                                 [](void* self) -> Log& { return static_cast<PollLoop*>(self)->log_; })},
      lag_gauges_{metrics} {
    (void)gap_counter(metrics);
}

PollLoop::~PollLoop() = default;

void PollLoop::start(std::vector<RecordTaker*> takers, int spread) {
    takers_ = std::move(takers);
    spread_ = spread;
    const kafka::PartitionList topics{rd_kafka_topic_partition_list_new(1)};
    rd_kafka_topic_partition_list_add(topics.get(), settings_.topic.c_str(), RD_KAFKA_PARTITION_UA);
    const auto code = rd_kafka_subscribe(client_.get(), topics.get());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) fatal_ = std::string{"subscribe: "} + rd_kafka_err2str(code);
    last_turn_ = clock_.steady();
}

void PollLoop::turn() {
    if (kafka::Message message{rd_kafka_consumer_poll(client_.get(), poll_ms)}) take(std::move(message));
    const SteadyTime now = clock_.steady();
    last_turn_ = now;
    if (now < next_chores_) return;
    next_chores_ = now + between_chores;
    rewind();
    look_for_starts();
    apply_backpressure();
    store_offsets();
    export_lag();
}

void PollLoop::take(kafka::Message message) {
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        hand_out(std::move(message));
    } else {
        failed(*message);
    }
}

void PollLoop::failed(const rd_kafka_message_t& message) {
    if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) {
        const auto next = next_offset_.find(message.partition);
        if (next == next_offset_.end()) return;
        unknown_starts_[message.partition].position = next->second;
        unknown_starts_[message.partition].is_refused = true;
        unproven_.erase(message.partition);
        return;
    }
    const std::string text = rd_kafka_message_errstr(&message);
    log_.warn("kafka_consumer_error", {{"reason", text}});
    if (message.err == RD_KAFKA_RESP_ERR__FATAL) {
        fatal_ = "the Kafka client has failed: " + text;
    } else if (message.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
        readiness_.set_unready(settings_.concern, "topic " + settings_.topic +
                                                      " does not exist: run `sluicectl topics --apply`");
    }
}

void PollLoop::hand_out(kafka::Message message) {
    if (message->partition >= spread_) {
        fatal_ = "partition " + std::to_string(message->partition) +
                 " has events: " + kafka::spread_changed(settings_.topic, spread_, message->partition + 1);
        return;
    }
    // Fetched before the client was directed to another position.
    if (unknown_starts_.contains(message->partition) || is_proof(*message)) return;
    Record record = polled_record(std::move(message), bytes_);
    const auto generation =
        partitions_.begin(record.at.partition, {record.at.offset, record.leader_epoch}, record.appended_at);
    if (!generation) return;
    next_offset_.insert_or_assign(record.at.partition,
                                  LogPosition{record.at.offset + 1, record.leader_epoch});
    record.at.generation = *generation;
    const std::size_t taker = std::hash<std::string_view>{}(record.key) % takers_.size();
    takers_[taker]->offer(std::move(record));
}

void PollLoop::apply_backpressure() {
    bool trouble = !takers_.empty();
    for (const auto* taker : takers_) trouble = trouble && taker->in_trouble();
    switch (backpressure_.look(*bytes_, trouble)) {
        case Backpressure::Step::none:
            return;
        case Backpressure::Step::pause:
            set_paused(true);
            return;
        case Backpressure::Step::resume:
            set_paused(false);
            return;
    }
}

void PollLoop::set_paused(bool paused) {
    rd_kafka_topic_partition_list_t* assignment = nullptr;
    if (rd_kafka_assignment(client_.get(), &assignment) != RD_KAFKA_RESP_ERR_NO_ERROR) return;
    const kafka::PartitionList owned{assignment};
    (void)(paused ? rd_kafka_pause_partitions : rd_kafka_resume_partitions)(client_.get(), owned.get());
    log_.info(paused ? "paused" : "resumed", {{"buffered_bytes", static_cast<std::int64_t>(bytes_->load())}});
}

void PollLoop::store_offsets() {
    const auto storable = partitions_.storable();
    if (storable.empty()) return;
    if (FP("consumer.before_offset_store")) return;
    const kafka::PartitionList list = list_of(storable);
    (void)rd_kafka_offsets_store(client_.get(), list.get());
    std::vector<Partitions::Storable> firsts;
    for (int i = 0; i < list->cnt; ++i) {
        // A partition that was revoked meanwhile answers with ERR__STATE: its next owner decides. Others are
        // tried again.
        const auto code = list->elems[i].err;
        const auto& what = storable[static_cast<std::size_t>(i)];
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR__STATE) partitions_.stored(what);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR && what.is_first) firsts.push_back(what);
    }
    commit_firsts(firsts);
    (void)FP("consumer.after_offset_store");
}

// By itself the client commits only what is above its committed offset: after a seek back nothing for as long
// as the re-reading lasts, and the lag that consumers are scaled by would stay small.
void PollLoop::commit_firsts(const std::vector<Partitions::Storable>& stored) {
    if (stored.empty()) return;
    constexpr int asynchronously = 1;
    (void)rd_kafka_commit(client_.get(), list_of(stored).get(), asynchronously);
}

kafka::PartitionList PollLoop::list_of(const std::vector<Partitions::Storable>& stored) const {
    kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(stored.size()))};
    for (const auto& what : stored) {
        auto* entry = rd_kafka_topic_partition_list_add(list.get(), settings_.topic.c_str(), what.partition);
        entry->offset = what.offset;
        rd_kafka_topic_partition_set_leader_epoch(entry, what.leader_epoch);
    }
    return list;
}

void PollLoop::commit_now() {
    store_offsets();
    const auto code = rd_kafka_commit(client_.get(), nullptr, 0);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR__NO_OFFSET) {
        log_.warn("commit_failed", {{"reason", rd_kafka_err2str(code)}});
    }
}

void PollLoop::leave() {
    commit_now();
    rd_kafka_consumer_close(client_.get());
}

void PollLoop::export_lag() {
    const WallTime now = clock_.wall();
    for (const auto& lag : partitions_.lags()) {
        lag_gauges_.show(settings_.topic, lag.partition, lag.oldest_due, lag.unfinished, now);
        settled_gauge(lag.partition).Set(static_cast<double>(lag.prefix));
    }
    group_.assigned.Set(static_cast<double>(lag_gauges_.end_look()));
}

Gauge& PollLoop::settled_gauge(std::int32_t partition) {
    Gauge*& gauge = settled_gauges_[partition];
    if (gauge == nullptr) {
        gauge = &metrics_.gauge(
            "sluice_consumer_settled_offset",
            "Offset below which everything is finished; it stays when the partition goes to another process",
            {{"topic", settings_.topic}, {"partition", std::to_string(partition)}});
    }
    return *gauge;
}

}  // namespace sluice::consumer
