#include "consumer/retry_role/topic_ends.hpp"

#include <span>

#include "common/kafka/error.hpp"
#include "common/kafka/leaders.hpp"

namespace sluice::consumer {
namespace {

kafka::PartitionList latest_of(const std::string& topic, const kafka::Leaders& leaders) {
    kafka::PartitionList list{rd_kafka_topic_partition_list_new(static_cast<int>(leaders.size()))};
    for (const auto& [partition, leader] : leaders) {
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset =
            RD_KAFKA_OFFSET_SPEC_LATEST;
    }
    return list;
}

Result<TopicEnds> ends_in(rd_kafka_event_t& answer) {
    if (const auto code = rd_kafka_event_error(&answer)) return Failure{kafka::make_error(code)};
    std::size_t count = 0;
    const auto* infos = rd_kafka_ListOffsets_result_infos(rd_kafka_event_ListOffsets_result(&answer), &count);
    TopicEnds ends;
    for (const auto* info : std::span{infos, count}) {
        const auto* partition = rd_kafka_ListOffsetsResultInfo_topic_partition(info);
        if (partition->err) return Failure{kafka::make_error(partition->err)};
        ends.emplace(partition->partition, partition->offset);
    }
    return ends;
}

}  // namespace

Result<TopicEnds> read_topic_ends(rd_kafka_t& client, const std::string& topic, Milliseconds within) {
    const auto leaders = kafka::read_leaders(client, topic, within);
    if (!leaders) return Failure{leaders.error()};
    if (leaders->empty()) return Failure{kafka::make_error(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE)};
    const int patience = static_cast<int>(within.count());
    const kafka::AdminOptions options{rd_kafka_AdminOptions_new(&client, RD_KAFKA_ADMIN_OP_LISTOFFSETS)};
    rd_kafka_AdminOptions_set_request_timeout(options.get(), patience, nullptr, 0);
    const kafka::Queue queue{rd_kafka_queue_new(&client)};
    const auto asked = latest_of(topic, *leaders);
    rd_kafka_ListOffsets(&client, asked.get(), options.get(), queue.get());
    const kafka::Event answer{rd_kafka_queue_poll(queue.get(), patience)};
    if (!answer) return Failure{kafka::make_error(RD_KAFKA_RESP_ERR__TIMED_OUT)};
    return ends_in(*answer);
}

}  // namespace sluice::consumer
