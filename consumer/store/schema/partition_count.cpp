#include "consumer/store/schema/partition_count.hpp"

#include <charconv>

#include "consumer/store/driver/meta.hpp"

namespace sluice::store {
namespace {

std::string partitions_row(const std::string& topic_id) {
    return std::string{meta::partitions_of} + topic_id;
}

}  // namespace

Result<std::optional<int>> recorded_partitions(Connection& connection, const std::string& topic_id) {
    const auto row = read_meta(connection, partitions_row(topic_id));
    if (!row) return Failure{row.error()};
    if (!*row) return std::nullopt;
    const std::string& text = (*row)->text;
    int partitions = 0;
    std::from_chars(text.data(), text.data() + text.size(), partitions);
    return partitions;
}

Result<int> agree_on_partitions(Connection& connection, const std::string& topic_id, int partitions,
                                WallTime now) {
    auto recorded = recorded_partitions(connection, topic_id);
    if (!recorded) return Failure{recorded.error()};
    if (*recorded) return **recorded;
    const auto inserted =
        insert_meta_once(connection, partitions_row(topic_id), std::to_string(partitions), now);
    if (!inserted) return Failure{inserted.error()};
    if (*inserted) return partitions;
    recorded = recorded_partitions(connection, topic_id);
    if (!recorded) return Failure{recorded.error()};
    return recorded->value_or(partitions);
}

}  // namespace sluice::store
