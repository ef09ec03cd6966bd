#include <string>
#include <utility>

#include "common/kafka/error.hpp"
#include "common/kafka/leaders.hpp"
#include "consumer/group/gap.hpp"
#include "consumer/group/log_reader.hpp"

/// Where partitions are read from: at their assignment, and when Kafka dropped what we were about to read.
/// The client is configured to report such a loss (auto.offset.reset=error), not to jump over it. A partition
/// whose bounds are not known is not read; they are asked for again, and no other partition waits.
namespace sluice::consumer {
namespace {

constexpr Milliseconds bounds_within{3000};
constexpr Milliseconds between_rounds{2000};

bool can_be_proven(const LogPosition& position, const LogBounds& log) {
    return position.leader_epoch != unknown_epoch && position.offset > log.start;
}

}  // namespace

void LogReader::look_for_starts() {
    if (unknown_starts_.empty() || clock_.steady() < next_round_) return;
    if (find_starts()) assign_what_is_read();
}

bool LogReader::find_starts() {
    const auto leaders = kafka::read_leaders(client(), topic_, bounds_within);
    AskingRound round{leaders ? *leaders : kafka::Leaders{}};
    const std::size_t found = std::erase_if(unknown_starts_, [&](auto& entry) {
        auto& [partition, start] = entry;
        const auto bounds =
            leaders ? ask_bounds(round, partition) : Result<LogBounds>{Failure{leaders.error()}};
        if (!bounds) {
            say_unknown(partition, start, bounds.error().message());
            return false;
        }
        return begin_reading(partition, start, *bounds);
    });
    next_round_ = clock_.steady() + between_rounds;
    waiting_.Set(static_cast<double>(unknown_starts_.size()));
    return found > 0;
}

Result<LogBounds> LogReader::ask_bounds(AskingRound& round, std::int32_t partition) {
    if (!round.is_worth_asking(partition))
        return Failure{kafka::make_error(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE)};
    LogBounds bounds;
    const auto code = rd_kafka_query_watermark_offsets(&client(), topic_.c_str(), partition, &bounds.start,
                                                       &bounds.end, static_cast<int>(bounds_within.count()));
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return bounds;
    round.got_no_answer(partition);
    return Failure{kafka::make_error(code)};
}

bool LogReader::begin_reading(std::int32_t partition, UnknownStart& start, const LogBounds& log) {
    const auto position = start.position.transform([](const LogPosition& at) { return at.offset; });
    const ReadFrom from = read_from(position, log, start.is_refused);
    if (from.because == ReadFrom::Because::truncated) return restart(partition, start, log);
    if (from.because == ReadFrom::Because::dropped)
        raise_alarm({topic_, partition, *position, from.offset, purpose_}, log_, metrics_);
    // What was read before a gap is still in work and keeps its generation: those events exist nowhere else.
    if (!next_offset_.contains(partition)) partitions_.assign(partition, start.position, log.start);
    const bool goes_on = from.because == ReadFrom::Because::position;
    next_offset_.insert_or_assign(partition, goes_on ? *start.position : LogPosition{from.offset});
    if (goes_on && can_be_proven(*start.position, log))
        unproven_.insert_or_assign(partition, *start.position);
    return true;
}

bool LogReader::is_proof(const rd_kafka_message_t& message) {
    const auto unproven = unproven_.find(message.partition);
    if (unproven == unproven_.end()) return false;
    const LogPosition position = unproven->second;
    unproven_.erase(unproven);
    if (message.offset >= position.offset) return false;  // the one before is not kept: nothing to compare
    const std::int32_t epoch = rd_kafka_message_leader_epoch(&message);
    if (epoch != unknown_epoch && epoch != position.leader_epoch)
        unknown_starts_[message.partition] = {.position = position, .is_refused = true, .said = {}};
    return true;
}

// Gone records that were already read exist nowhere else: they are applied before the restart drops them.
bool LogReader::restart(std::int32_t partition, UnknownStart& start, const LogBounds& log) {
    if (partitions_.unfinished(partition) > 0) {
        say_unknown(partition, start,
                    "the log was cut, and events that were read before are not applied yet");
        return false;
    }
    raise_truncation_alarm({topic_, partition, log.end, start.position->offset, purpose_}, log_, metrics_);
    partitions_.restart(partition, log.start);
    next_offset_.insert_or_assign(partition, LogPosition{log.start});
    return true;
}

void LogReader::say_unknown(std::int32_t partition, UnknownStart& start, std::string reason) {
    if (start.said == reason) return;
    log_.warn("log_start_unknown",
              {{"topic", topic_}, {"partition", std::int64_t{partition}}, {"reason", reason}});
    start.said = std::move(reason);
}

// A partition that reported its position as gone cannot be sought, and an eager assignment cannot be
// extended: all are assigned once more, each where it was.
void LogReader::assign_what_is_read() {
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(next_offset_.size()))};
    for (const auto& [partition, position] : next_offset_) {
        auto* entry = rd_kafka_topic_partition_list_add(list.get(), topic_.c_str(), partition);
        entry->offset = unproven_.contains(partition) ? position.offset - 1 : position.offset;
        if (entry->offset == position.offset)
            rd_kafka_topic_partition_set_leader_epoch(entry, position.leader_epoch);
    }
    assign(*list);
}

void LogReader::forget_positions() {
    unknown_starts_.clear();
    next_offset_.clear();
    unproven_.clear();
    waiting_.Set(0);
}

}  // namespace sluice::consumer
