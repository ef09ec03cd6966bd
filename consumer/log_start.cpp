#include <string>
#include <utility>

#include "common/kafka/error.hpp"
#include "common/kafka/leaders.hpp"
#include "consumer/gap.hpp"
#include "consumer/poll_loop.hpp"

/// Where partitions are read from: at their assignment, and when Kafka dropped what we were about to read.
/// The client is told to report such a loss (auto.offset.reset=error) rather than to jump over it. Of a
/// partition whose bounds nobody can tell nothing is read; it is asked for again, and no other waits for it.
namespace sluice::consumer {
namespace {

constexpr Milliseconds bounds_within{3000};
constexpr Milliseconds between_rounds{2000};

}  // namespace

void PollLoop::look_for_starts() {
    if (unknown_starts_.empty() || clock_.steady() < next_round_) return;
    if (find_starts()) assign_what_is_read();
}

bool PollLoop::find_starts() {
    const auto leaders = kafka::read_leaders(*client_, settings_.topic, bounds_within);
    AskingRound round{leaders ? *leaders : kafka::Leaders{}};
    const std::size_t found = std::erase_if(unknown_starts_, [&](auto& entry) {
        auto& [partition, start] = entry;
        const auto bounds =
            leaders ? ask_bounds(round, partition) : Result<LogBounds>{Failure{leaders.error()}};
        if (!bounds) {
            say_unknown(partition, start, bounds.error().message());
            return false;
        }
        begin_reading(partition, start, *bounds);
        return true;
    });
    next_round_ = clock_.steady() + between_rounds;
    waiting_.Set(static_cast<double>(unknown_starts_.size()));
    return found > 0;
}

Result<LogBounds> PollLoop::ask_bounds(AskingRound& round, std::int32_t partition) {
    if (!round.is_worth_asking(partition))
        return Failure{kafka::make_error(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE)};
    LogBounds bounds;
    const auto code =
        rd_kafka_query_watermark_offsets(client_.get(), settings_.topic.c_str(), partition, &bounds.start,
                                         &bounds.end, static_cast<int>(bounds_within.count()));
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return bounds;
    round.got_no_answer(partition);
    return Failure{kafka::make_error(code)};
}

void PollLoop::begin_reading(std::int32_t partition, const UnknownStart& start, const LogBounds& log) {
    const ReadFrom from = read_from(start.position, log);
    if (from.because == ReadFrom::Because::dropped) {
        raise_alarm({partition, *start.position, from.offset}, log_, metrics_);
    } else if (from.because == ReadFrom::Because::truncated) {
        log_.error("log_truncated", {{"partition", std::int64_t{partition}},
                                     {"position", *start.position},
                                     {"log_end", log.end},
                                     {"reason", "the log ends before what was read: it is read anew"}});
    }
    // What was read before a gap is still in work and keeps its generation: those events are nowhere else.
    if (!next_offset_.contains(partition)) partitions_.assign(partition, start.position, log.start);
    next_offset_[partition] = from.offset;
}

void PollLoop::say_unknown(std::int32_t partition, UnknownStart& start, std::string reason) {
    if (start.said == reason) return;
    log_.warn("log_start_unknown", {{"partition", std::int64_t{partition}}, {"reason", reason}});
    start.said = std::move(reason);
}

// A partition that reported its position as gone cannot be sought, and to an eager assignment none can be
// added: all are assigned once more, each where it was.
void PollLoop::assign_what_is_read() {
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(next_offset_.size()))};
    for (const auto& [partition, offset] : next_offset_) {
        rd_kafka_topic_partition_list_add(list.get(), settings_.topic.c_str(), partition)->offset = offset;
    }
    // The client keeps what was paused before over a new assignment, which starts unpaused.
    (void)rd_kafka_resume_partitions(client_.get(), list.get());
    (void)rd_kafka_assign(client_.get(), list.get());
    intake_.reassigned();
}

void PollLoop::assign_nothing() {
    unknown_starts_.clear();
    next_offset_.clear();
    waiting_.Set(0);
    (void)rd_kafka_assign(client_.get(), nullptr);
}

}  // namespace sluice::consumer
