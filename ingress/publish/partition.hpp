#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::publish {

/// MurmurHash2 as the Java client of Kafka computes it for keys.
[[nodiscard]] std::int32_t murmur2(std::string_view key) noexcept;

/// The partition that the Java client's default partitioner gives a record with this key.
[[nodiscard]] std::int32_t partition_of(std::string_view key, std::int32_t partitions) noexcept;

}  // namespace sluice::publish
