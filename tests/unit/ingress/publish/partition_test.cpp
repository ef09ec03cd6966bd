#include "ingress/publish/partition.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace sluice::publish {
namespace {

// What org.apache.kafka.common.utils.Utils.murmur2 gives.
constexpr std::pair<std::string_view, std::int32_t> known[] = {
    {"21", -973932308},
    {"foobar", -790332482},
    {"a-little-bit-long-string", -985981536},
    {"a-little-bit-longer-string", -1486304829},
    {"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971},
    {"abc", 479470107},
};

TEST(Murmur2, GivesWhatTheJavaClientGives) {
    for (const auto& [key, hash] : known) EXPECT_EQ(murmur2(key), hash) << key;
}

TEST(Partition, IsThatOfTheJavaClient) {
    for (const auto& [key, hash] : known)
        for (const std::int32_t partitions : {1, 4, 12, 1000})
            EXPECT_EQ(partition_of(key, partitions), (hash & 0x7fffffff) % partitions) << key;
}

TEST(Partition, EveryKeyLengthHasOne) {
    std::string key;
    for (int length = 0; length < 64; ++length) {
        const std::int32_t partition = partition_of(key, 12);
        EXPECT_GE(partition, 0);
        EXPECT_LT(partition, 12);
        key += static_cast<char>(0x7b + 3 * length);
    }
}

}  // namespace
}  // namespace sluice::publish
