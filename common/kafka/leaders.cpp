#include "common/kafka/leaders.hpp"

#include <span>

#include "common/kafka/error.hpp"

namespace sluice::kafka {

Result<Leaders> read_leaders(rd_kafka_t& client, const std::string& topic,
                             std::chrono::milliseconds timeout) {
    const Topic asked{rd_kafka_topic_new(&client, topic.c_str(), nullptr)};
    const rd_kafka_metadata_t* got = nullptr;
    const auto code = rd_kafka_metadata(&client, 0, asked.get(), &got, static_cast<int>(timeout.count()));
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return Failure{make_error(code)};
    const Metadata answer{got};
    if (answer->topic_cnt != 1) return Failure{make_error(RD_KAFKA_RESP_ERR__BAD_MSG)};
    const auto& described = answer->topics[0];
    if (described.err != RD_KAFKA_RESP_ERR_NO_ERROR) return Failure{make_error(described.err)};
    Leaders leaders;
    for (const auto& partition :
         std::span{described.partitions, static_cast<std::size_t>(described.partition_cnt)}) {
        if (partition.leader >= 0) leaders.emplace(partition.id, partition.leader);
    }
    return leaders;
}

}  // namespace sluice::kafka
