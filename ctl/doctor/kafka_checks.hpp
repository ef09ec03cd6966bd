#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/destination/destination.hpp"
#include "ctl/doctor/finding.hpp"
#include "ctl/topics/topic_plan.hpp"

namespace sluice::ctl {

/// What the topics have to live up to.
struct TopicDemands {
    std::chrono::days keep{90};          ///< inbox.keep
    std::size_t largest_body = 1 << 20;  ///< over all sources, bytes
    int min_replication = 1;
    int min_insync = 1;
    std::vector<destination::Destination> destinations{};
};

/// Pure: lines as `sluicectl topics` makes them.
[[nodiscard]] Findings judge_topics(const std::vector<TopicLine>& lines, const TopicDemands& demands);

/// Pure: the topic of a destination. It is its readers', so whether it is there is all that is asked.
[[nodiscard]] Finding judge_destination(const std::string& destination, const std::string& topic,
                                        bool exists);

/// Pure: by the members of each role's group. A role that does not run is a warning: it may just be deployed.
[[nodiscard]] Findings judge_groups(const std::string& group, int main_members, int retry_members);

/// Asks the brokers. Unreachable is a finding, not an exception.
[[nodiscard]] Findings check_kafka(const config::KafkaSettings& settings,
                                   const std::vector<TopicWish>& wishes, const TopicDemands& demands);

}  // namespace sluice::ctl
