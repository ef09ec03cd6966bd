#include <span>

#include "consumer/gap.hpp"
#include "consumer/poll_loop.hpp"

/// Where a partition can be read from: at its assignment, and when Kafka dropped what we were about to
/// read. The client is told to report such a loss (auto.offset.reset=error) rather than to jump over it.
namespace sluice::consumer {

std::expected<PollLoop::Watermarks, rd_kafka_resp_err_t> PollLoop::watermarks_of(std::int32_t partition) {
    Watermarks marks;
    const auto code = rd_kafka_query_watermark_offsets(client_.get(), settings_.topic.c_str(), partition,
                                                       &marks.start, &marks.end, question_ms);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return std::unexpected(code);
    return marks;
}

bool PollLoop::find_start(rd_kafka_topic_partition_t& partition, std::int64_t committed) {
    const auto marks = watermarks_of(partition.partition);
    if (!marks) {
        fatal_ = std::string{"the log's start cannot be read: "} + rd_kafka_err2str(marks.error());
        (void)rd_kafka_assign(client_.get(), nullptr);
        return false;
    }
    const bool has_committed = committed != RD_KAFKA_OFFSET_INVALID;
    partition.offset = has_committed ? first_readable(partition.partition, committed, *marks) : marks->start;
    partition.err = RD_KAFKA_RESP_ERR_NO_ERROR;
    next_offset_[partition.partition] = partition.offset;
    partitions_.assign(partition.partition, has_committed ? std::optional{committed} : std::nullopt,
                       marks->start);
    return true;
}

std::int64_t PollLoop::first_readable(std::int32_t partition, std::int64_t wanted, const Watermarks& marks) {
    if (wanted < marks.start) {
        raise_alarm({partition, wanted, marks.start}, log_, metrics_);
        return marks.start;
    }
    if (wanted <= marks.end) return wanted;
    log_.error("log_truncated", {{"partition", std::int64_t{partition}},
                                 {"position", wanted},
                                 {"log_end", marks.end},
                                 {"reason", "the log ends before what was read: it is read anew"}});
    return marks.start;
}

// A partition that reported its position as gone cannot be sought, only be assigned anew. What was read
// of it is still in work and keeps its generation: those events are nowhere else any more.
void PollLoop::leave_gaps() {
    if (out_of_range_.empty()) return;
    rd_kafka_topic_partition_list_t* assignment = nullptr;
    if (rd_kafka_assignment(client_.get(), &assignment) != RD_KAFKA_RESP_ERR_NO_ERROR) return;
    const kafka::PartitionList owned{assignment};
    for (auto& partition : std::span{owned->elems, static_cast<std::size_t>(owned->cnt)}) {
        partition.offset = next_offset_[partition.partition];
        const auto gone = out_of_range_.find(partition.partition);
        if (gone == out_of_range_.end()) continue;
        const auto marks = watermarks_of(partition.partition);
        if (!marks) {
            log_.warn("log_start_unknown", {{"partition", std::int64_t{partition.partition}},
                                            {"reason", rd_kafka_err2str(marks.error())}});
            return;
        }
        partition.offset = first_readable(partition.partition, gone->second, *marks);
        next_offset_[partition.partition] = partition.offset;
    }
    out_of_range_.clear();
    (void)rd_kafka_assign(client_.get(), owned.get());
    intake_.reassigned();
}

}  // namespace sluice::consumer
