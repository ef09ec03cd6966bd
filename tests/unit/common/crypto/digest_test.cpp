#include "common/crypto/digest.hpp"

#include <string>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::crypto {
namespace {

using namespace std::literals;

Digest digest_of(std::initializer_list<std::string_view> parts) {
    PartsDigest digest;
    for (const auto part : parts) digest.part(part);
    return digest.finish();
}

// FIPS 180-4 examples
TEST(Digest, Sha256OfKnownTexts) {
    EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(PartsDigest, EachPartIsPrecededByItsLength) {
    EXPECT_EQ(digest_of({"abc"}), sha256("\0\0\0\0\0\0\0\3abc"sv));
    const std::string longer(300, 'x');
    EXPECT_EQ(digest_of({"", longer}), sha256("\0\0\0\0\0\0\0\0"
                                              "\0\0\0\0\0\0\x01\x2c"s +
                                              longer));
}

TEST(PartsDigest, PartsCannotSlideIntoEachOther) {
    EXPECT_NE(digest_of({"ab", "c"}), digest_of({"a", "bc"}));
    EXPECT_NE(digest_of({"abc"}), digest_of({"abc", ""}));
    EXPECT_NE(digest_of({"abc"}), sha256("abc"));
}

TEST(PartsDigest, StartsOverWithEachBegin) {
    PartsDigest digest;
    digest.part("first");
    const auto first = digest.finish();
    digest.begin();
    digest.part("half done");
    digest.begin();
    digest.part("first");
    EXPECT_EQ(digest.finish(), first);
}

TEST(EqualConstantTime, ComparesAllBytes) {
    EXPECT_TRUE(equal_constant_time("", ""));
    EXPECT_TRUE(equal_constant_time("same\0tail"sv, "same\0tail"sv));
    EXPECT_FALSE(equal_constant_time("same\0tail"sv, "same\0tale"sv));
    EXPECT_FALSE(equal_constant_time("xame", "same"));
    EXPECT_FALSE(equal_constant_time("same", "sam"));
    EXPECT_FALSE(equal_constant_time("", "s"));
}

}  // namespace
}  // namespace sluice::crypto
