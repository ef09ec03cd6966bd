#include "ingress/publish/partition.hpp"

#include <cstddef>

namespace sluice::publish {
namespace {

constexpr std::uint32_t seed = 0x9747b28cU;
constexpr std::uint32_t multiplier = 0x5bd1e995U;

std::uint32_t octet(std::string_view text, std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
}

std::uint32_t little_endian(std::string_view text, std::size_t at) {
    return octet(text, at) | octet(text, at + 1) << 8 | octet(text, at + 2) << 16 | octet(text, at + 3) << 24;
}

}  // namespace

std::int32_t murmur2(std::string_view key) noexcept {
    std::uint32_t hash = seed ^ static_cast<std::uint32_t>(key.size());
    std::size_t at = 0;
    for (; at + 4 <= key.size(); at += 4) {
        std::uint32_t word = little_endian(key, at) * multiplier;
        word ^= word >> 24;
        hash = hash * multiplier ^ word * multiplier;
    }
    const std::size_t rest = key.size() - at;
    if (rest == 3) hash ^= octet(key, at + 2) << 16;
    if (rest >= 2) hash ^= octet(key, at + 1) << 8;
    if (rest >= 1) hash = (hash ^ octet(key, at)) * multiplier;
    hash ^= hash >> 13;
    hash *= multiplier;
    hash ^= hash >> 15;
    return static_cast<std::int32_t>(hash);
}

std::int32_t partition_of(std::string_view key, std::int32_t partitions) noexcept {
    return (murmur2(key) & 0x7fffffff) % partitions;
}

}  // namespace sluice::publish
