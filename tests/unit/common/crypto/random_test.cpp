#include "common/crypto/random.hpp"

#include <set>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::crypto {
namespace {

TEST(RandomHex, HasTwoDigitsPerByte) {
    EXPECT_EQ(random_hex(0), "");
    EXPECT_EQ(random_hex(16).size(), 32U);
    EXPECT_TRUE(from_hex(random_hex(16)).has_value());
}

TEST(RandomHex, DoesNotRepeat) {
    std::set<std::string> seen;
    for (int i = 0; i < 1'000; ++i) seen.insert(random_hex(16));
    EXPECT_EQ(seen.size(), 1'000U);
}

}  // namespace
}  // namespace sluice::crypto
