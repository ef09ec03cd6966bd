#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/kafka/topic_facts.hpp"
#include "ctl/cli/json.hpp"
#include "ctl/topics/topic_wishes.hpp"

namespace sluice::ctl {

/// One topic, wished for and found.
struct TopicLine {
    TopicWish wish;
    std::optional<kafka::TopicFacts> facts;  ///< nullopt: the topic does not exist
    std::vector<std::string> shortfalls;     ///< in what it is less than wished, one sentence each
    bool created = false;                    ///< by this run

    [[nodiscard]] std::string state() const;  ///< "as wished", "missing", "differs", "created"
};

/// Compares. More of anything (partitions, copies, days, bytes) is as good as wished; less is a
/// shortfall that a person fixes, since every fix of a topic in use has its price. A number of partitions
/// that was not asked for is right as it is. Pure.
[[nodiscard]] TopicLine compare(const TopicWish& wish, const std::optional<kafka::TopicFacts>& facts);

[[nodiscard]] Json to_json(const std::vector<TopicLine>& lines);
[[nodiscard]] std::string to_people(const std::vector<TopicLine>& lines);

/// "7d", "36h", "90s", "for ever" (-1).
[[nodiscard]] std::string retention_text(std::int64_t milliseconds);

}  // namespace sluice::ctl
