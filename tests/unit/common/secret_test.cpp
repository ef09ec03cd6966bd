#include "common/secret.hpp"

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Secret, HoldsItsBytes) {
    using namespace std::string_view_literals;
    EXPECT_EQ(Secret{"whsec_\0x"sv}.bytes(), "whsec_\0x"sv);
    EXPECT_FALSE(Secret{"x"}.empty());
    EXPECT_TRUE(Secret{}.empty());
}

TEST(Secret, PrintsStarsWhateverItHolds) {
    std::ostringstream out;
    out << Secret{"whsec_abc"} << ' ' << Secret{};
    EXPECT_EQ(out.str(), "*** ***");
}

TEST(Secret, IsCopiedOnPurposeOnly) {
    static_assert(!std::is_copy_constructible_v<Secret>);
    static_assert(!std::is_copy_assignable_v<Secret>);
    const Secret secret{"whsec_abc"};
    const auto copy = secret.clone();
    EXPECT_EQ(copy.bytes(), "whsec_abc");
    EXPECT_NE(copy.bytes().data(), secret.bytes().data());
}

TEST(Secret, MovingHandsTheBytesOverAndLeavesNothing) {
    Secret from{"short"};
    const char* const where = from.bytes().data();
    const Secret constructed{std::move(from)};
    EXPECT_EQ(constructed.bytes().data(), where);
    EXPECT_TRUE(from.empty());  // NOLINT: what a move leaves is the promise

    Secret again{"other"};
    Secret assigned;
    assigned = std::move(again);
    EXPECT_EQ(assigned.bytes(), "other");
    EXPECT_TRUE(again.empty());  // NOLINT
}

TEST(Secret, MovingOntoItselfKeepsTheBytes) {
    Secret secret{"whsec_abc"};
    auto& same = secret;
    secret = std::move(same);
    EXPECT_EQ(secret.bytes(), "whsec_abc");
}

}  // namespace
}  // namespace sluice
