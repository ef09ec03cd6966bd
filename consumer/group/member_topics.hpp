#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/kafka/handle.hpp"
#include "consumer/offsets/partitions.hpp"

namespace sluice::consumer {

/// The topics that a group's member reads. Place::topic is an index here; librdkafka's lists have names.
/// Pure.
class MemberTopics {
public:
    explicit MemberTopics(std::vector<std::string> names) : names_{std::move(names)} {}

    [[nodiscard]] const std::string& name(std::size_t index = 0) const { return names_[index]; }

    [[nodiscard]] std::optional<std::size_t> index_of(std::string_view name) const;

    /// To subscribe to.
    [[nodiscard]] kafka::PartitionList all() const;
    [[nodiscard]] kafka::PartitionList list_of(std::span<const Place> places) const;
    /// With offsets and leader epochs.
    [[nodiscard]] kafka::PartitionList list_of(std::span<const Partitions::Storable> offsets) const;
    /// Without those of other topics.
    [[nodiscard]] std::vector<Place> places_in(const rd_kafka_topic_partition_list_t& list) const;

private:
    std::vector<std::string> names_;
};

}  // namespace sluice::consumer
