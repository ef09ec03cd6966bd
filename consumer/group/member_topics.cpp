#include "consumer/group/member_topics.hpp"

#include <algorithm>

namespace sluice::consumer {
namespace {

kafka::PartitionList new_list(std::size_t size) {
    return kafka::PartitionList{rd_kafka_topic_partition_list_new(static_cast<int>(size))};
}

}  // namespace

std::optional<std::size_t> MemberTopics::index_of(std::string_view name) const {
    const auto at = std::ranges::find(names_, name);
    if (at == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names_.begin());
}

kafka::PartitionList MemberTopics::all() const {
    kafka::PartitionList list = new_list(names_.size());
    for (const auto& topic : names_) {
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
    }
    return list;
}

kafka::PartitionList MemberTopics::list_of(std::span<const Place> places) const {
    kafka::PartitionList list = new_list(places.size());
    for (const Place place : places) {
        rd_kafka_topic_partition_list_add(list.get(), name(place.topic).c_str(), place.partition);
    }
    return list;
}

kafka::PartitionList MemberTopics::list_of(std::span<const Partitions::Storable> offsets) const {
    kafka::PartitionList list = new_list(offsets.size());
    for (const auto& [place, generation, offset, leader_epoch, is_first] : offsets) {
        auto* entry =
            rd_kafka_topic_partition_list_add(list.get(), name(place.topic).c_str(), place.partition);
        entry->offset = offset;
        rd_kafka_topic_partition_set_leader_epoch(entry, leader_epoch);
    }
    return list;
}

std::vector<Place> MemberTopics::places_in(const rd_kafka_topic_partition_list_t& list) const {
    std::vector<Place> places;
    for (const auto& partition : std::span{list.elems, static_cast<std::size_t>(list.cnt)}) {
        if (const auto topic = index_of(partition.topic)) places.emplace_back(partition.partition, *topic);
    }
    return places;
}

}  // namespace sluice::consumer
