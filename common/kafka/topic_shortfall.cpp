#include <algorithm>
#include <string_view>

#include "common/joined.hpp"
#include "common/kafka/topic_facts.hpp"

namespace sluice::kafka {
namespace {

std::string below(const std::string& topic, std::string_view what, int is, std::string_view setting,
                  int least) {
    return "topic " + topic + " has " + std::string{what} + ' ' + std::to_string(is) + ", below the " +
           std::to_string(least) + " of " + std::string{setting};
}

}  // namespace

bool TopicFacts::hides(std::string_view setting) const {
    return std::ranges::contains(hidden, setting);
}

std::string hidden_settings(const TopicFacts& facts, const std::string& topic) {
    if (facts.hidden.empty()) return {};
    return "topic " + topic + ": the broker does not tell " + joined(facts.hidden, ", ") +
           ", so sluice cannot check them. See that they are as docs/configuration.md says, \"Topic settings "
           "that lose events\"";
}

std::string losing_setting(const TopicFacts& facts, const std::string& topic) {
    if (facts.cleanup_policy.contains("compact")) {
        return "topic " + topic + " has cleanup.policy=" + facts.cleanup_policy +
               ": Kafka would keep only the last of an object's unread events. Set it to delete";
    }
    if (facts.retention_bytes >= 0) {
        return "topic " + topic + " has retention.bytes=" + std::to_string(facts.retention_bytes) +
               ": in a burst Kafka would delete events before they are read, even new ones. Set it to -1 and "
               "limit the disk space by retention.ms";
    }
    if (facts.unclean_election) {
        return "topic " + topic +
               " has unclean.leader.election.enable=true: a broker that lacks accepted events may become the "
               "leader, and they are lost. Set it to false";
    }
    return {};
}

std::string shortfall(const TopicFacts& facts, const std::string& topic, int min_replication,
                      int min_insync) {
    if (facts.replication < min_replication) {
        return below(topic, "replication", facts.replication, "kafka.min_replication", min_replication);
    }
    if (facts.min_insync < min_insync && !facts.hides("min.insync.replicas")) {
        return below(topic, "min.insync.replicas", facts.min_insync, "kafka.min_insync", min_insync);
    }
    return losing_setting(facts, topic);
}

int spread_of(const TopicFacts& facts, int pinned) noexcept {
    return pinned == 0 ? facts.partitions : pinned;
}

std::string spread_shortfall(const TopicFacts& facts, const std::string& topic, int pinned) {
    if (facts.partitions >= pinned) return {};
    return below(topic, "partitions", facts.partitions, "kafka.partitions", pinned);
}

std::string spread_changed(const std::string& topic, int before, int now) {
    return "the keys of topic " + topic + " were spread over " + std::to_string(before) +
           " partitions so far and would now be spread over " + std::to_string(now) +
           ": events of one object would be in two partitions and lose their order. Set kafka.partitions "
           "to " +
           std::to_string(before) + ", and see docs/upgrade.md, \"The number of partitions\"";
}

}  // namespace sluice::kafka
