#include "consumer/group/log_reader.hpp"

#include <algorithm>
#include <span>

#include "common/failpoint.hpp"
#include "common/kafka/topic_facts.hpp"
#include "consumer/group/gap.hpp"

namespace sluice::consumer {
namespace {

constexpr int most_in_a_turn = 100;  // messages: some tenths of a millisecond

GroupMember::Settings member_of(const LogReader::Settings& reader) {
    const auto kibibytes = std::max<std::size_t>(reader.buffer_bytes / 4096, 1024);
    return {.role = reader.role,
            .concern = reader.concern,
            .member = {.name = reader.client_id,
                       .group = reader.group,
                       .assignors = reader.assignors,
                       .offset_reset = "error",
                       .fetching = {{"queued.max.messages.kbytes", std::to_string(kibibytes)}}},
            .topics = {reader.topic},
            .buffer_bytes = reader.buffer_bytes,
            .purpose = reader.purpose};
}

}  // namespace

LogReader::LogReader(const config::KafkaSettings& kafka, const Settings& settings, Partitions& partitions,
                     Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock)
    : GroupMember{kafka, member_of(settings), partitions, log, metrics, readiness, clock},
      topic_{settings.topic},
      purpose_{settings.purpose},
      waiting_{metrics.gauge(
          "sluice_consumer_partitions_waiting",
          "Partitions of the process that are not read because no broker says where their log starts",
          {{"role", settings.role}})} {
    (void)gap_counter(metrics, purpose_);
}

void LogReader::start(std::vector<RecordTaker*> takers, int spread) {
    spread_ = spread;
    GroupMember::start(std::move(takers));
}

void LogReader::turn() {
    if (poll(longest_poll)) {
        for (int more = 1; more < most_in_a_turn && fatal().empty() && poll(Milliseconds{0});) ++more;
        hand_over();
    }
    if (!are_chores_due()) return;
    rewind();
    look_for_starts();
    do_chores();
    export_settled();
}

void LogReader::receive(kafka::Message message) {
    if (message->partition >= spread_) {
        end("partition " + std::to_string(message->partition) +
            " has events: " + kafka::spread_changed(topic_, spread_, message->partition + 1));
        return;
    }
    // Fetched before the client was directed to another position.
    if (unknown_starts_.contains(message->partition) || is_proof(*message)) return;
    Record record = record_of(std::move(message));
    const auto generation =
        partitions_.begin(record.at.partition, {record.at.offset, record.leader_epoch}, record.appended_at);
    if (!generation) return;
    next_offset_.insert_or_assign(record.at.partition,
                                  LogPosition{record.at.offset + 1, record.leader_epoch});
    record.at.generation = *generation;
    hand_out(std::move(record));
}

void LogReader::failed(const rd_kafka_message_t& message) {
    if (message.err != RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return GroupMember::failed(message);
    const auto next = next_offset_.find(message.partition);
    if (next == next_offset_.end()) return;
    unknown_starts_[message.partition].position = next->second;
    unknown_starts_[message.partition].is_refused = true;
    unproven_.erase(message.partition);
}

void LogReader::assigned(rd_kafka_topic_partition_list_t& list) {
    forget_positions();
    for (const auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        auto& position = unknown_starts_[partition.partition].position;
        if (partition.offset >= 0)
            position.emplace(partition.offset, rd_kafka_topic_partition_get_leader_epoch(&partition));
    }
    if (list.cnt > 0) (void)find_starts();
    assign_what_is_read();
    say_assigned();
    log_.info("assigned", {{"topic", topic_},
                           {"partitions", std::int64_t{list.cnt}},
                           {"waiting", static_cast<std::int64_t>(unknown_starts_.size())}});
}

void LogReader::giving_back(bool quiet) {
    if (!quiet)
        log_.warn("revoked_in_transaction",
                  {{"reason", "a transaction took too long; its events are read again"}});
    (void)FP("consumer.before_revoke_commit");
}

void LogReader::gave_back(bool lost) {
    forget_positions();
    if (lost) {
        log_.warn("assignment_lost", {{"topic", topic_}});
    } else {
        log_.info("revoked", {{"topic", topic_}});
    }
}

void LogReader::store_offsets() {
    const auto storable = partitions_.storable();
    if (storable.empty()) return;
    if (FP("consumer.before_offset_store")) return;
    commit_firsts(store(storable));
    (void)FP("consumer.after_offset_store");
}

// By itself the client commits only what is above its committed offset: after a seek back nothing for as long
// as the re-reading lasts, and the lag that consumers are scaled by would stay small.
void LogReader::commit_firsts(std::vector<Partitions::Storable> stored) {
    std::erase_if(stored, [](const auto& what) { return !what.is_first; });
    if (stored.empty()) return;
    constexpr int asynchronously = 1;
    (void)rd_kafka_commit(&client(), topics_.list_of(stored).get(), asynchronously);
}

void LogReader::export_settled() {
    for (const auto& lag : partitions_.lags()) {
        settled_gauge(lag.place.partition).Set(static_cast<double>(lag.prefix));
    }
}

Gauge& LogReader::settled_gauge(std::int32_t partition) {
    Gauge*& gauge = settled_gauges_[partition];
    if (gauge == nullptr) {
        gauge = &metrics_.gauge(
            metric_of(purpose_, "settled_offset"),
            "Offset below which everything is finished; it stays when the partition goes to another process",
            {{"topic", topic_}, {"partition", std::to_string(partition)}});
    }
    return *gauge;
}

}  // namespace sluice::consumer
