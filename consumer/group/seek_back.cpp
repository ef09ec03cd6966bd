#include "common/failpoint.hpp"
#include "common/kafka/error.hpp"
#include "consumer/group/log_reader.hpp"

/// Partitions that are read again from an earlier offset, as workers asked for
/// (consumer/database/applied_offset_check.hpp).
namespace sluice::consumer {

void LogReader::rewind() {
    const auto rewinds = partitions_.pending_rewinds();
    if (rewinds.empty()) return;
    const kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(rewinds.size()))};
    std::vector<LogPosition> sought;
    for (const auto& [partition, to] : rewinds) {
        if (const auto unread = unknown_starts_.find(partition); unread != unknown_starts_.end()) {
            unread->second.position = to;  // the client does not seek where it does not read
            go_back(partition, to);
            continue;
        }
        const bool can_be_proven = to.leader_epoch != unknown_epoch;
        rd_kafka_topic_partition_list_add(list.get(), topic_.c_str(), partition)->offset =
            can_be_proven ? to.offset - 1 : to.offset;
        sought.push_back(to);
    }
    seek(*list, sought);
    (void)FP("consumer.after_seek_back");
}

void LogReader::seek(rd_kafka_topic_partition_list_t& list, const std::vector<LogPosition>& sought) {
    if (sought.empty()) return;
    if (const kafka::ErrorHandle error{rd_kafka_seek_partitions(&client(), &list, question_ms)}) {
        log_.error("seek_back_failed", {{"reason", rd_kafka_error_string(error.get())}});
        return;
    }
    for (std::size_t i = 0; i < sought.size(); ++i) {
        const auto& done = list.elems[i];
        if (done.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
            log_.error("seek_back_failed",
                       {{"partition", std::int64_t{done.partition}}, {"reason", rd_kafka_err2str(done.err)}});
            continue;
        }
        go_back(done.partition, sought[i]);
        if (done.offset < sought[i].offset) unproven_.insert_or_assign(done.partition, sought[i]);
    }
}

void LogReader::go_back(std::int32_t partition, const LogPosition& to) {
    next_offset_.insert_or_assign(partition, to);
    unproven_.erase(partition);
    partitions_.rewound(partition, to);
}

}  // namespace sluice::consumer
