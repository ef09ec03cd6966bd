#include <string_view>

#include "common/kafka/topic_facts.hpp"

namespace sluice::kafka {
namespace {

std::string below(const std::string& topic, std::string_view what, int is, std::string_view setting,
                  int least) {
    return "topic " + topic + " has " + std::string{what} + ' ' + std::to_string(is) + ", below the " +
           std::to_string(least) + " of " + std::string{setting};
}

}  // namespace

std::string shortfall(const TopicFacts& facts, const std::string& topic, int min_replication,
                      int min_insync) {
    if (facts.replication < min_replication) {
        return below(topic, "replication", facts.replication, "kafka.min_replication", min_replication);
    }
    if (facts.min_insync < min_insync) {
        return below(topic, "min.insync.replicas", facts.min_insync, "kafka.min_insync", min_insync);
    }
    return {};
}

}  // namespace sluice::kafka
