#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/kafka/client_config.hpp"
#include "common/kafka/handle.hpp"

namespace sluice::consumer {

/// What the members of our groups do not have in common.
struct MemberSettings {
    std::string name;  ///< of the client, and in the sentence that refuses its settings
    std::string group;
    std::string assignors;
    std::string offset_reset;  ///< "error" or "earliest": where the group has no offset
    std::vector<std::pair<std::string, std::string>>
        fetching;  ///< librdkafka's settings for what is fetched ahead
};

using RebalanceCallback = void (*)(rd_kafka_t*, rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t*, void*);

/// A member's client: offsets are stored by us and committed each second, and records
/// are checked: one that a disk or a network has changed is no event. `self` is what `on_rebalance` and
/// `log_of` get. Throws config::Refused where librdkafka does not take the settings.
[[nodiscard]] kafka::Client make_member_client(const config::KafkaSettings& kafka,
                                               const MemberSettings& member, void* self,
                                               RebalanceCallback on_rebalance, kafka::LogOf log_of);

}  // namespace sluice::consumer
