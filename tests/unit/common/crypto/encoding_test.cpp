#include "common/crypto/encoding.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::crypto {
namespace {

using namespace std::literals;

std::string all_bytes() {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    return bytes;
}

TEST(Hex, WritesLowerCase) {
    EXPECT_EQ(to_hex("\x00\x0f\xa0\xff"sv), "000fa0ff");
}

TEST(Hex, ReadsWhatItWrote) {
    EXPECT_EQ(from_hex(to_hex(all_bytes())), all_bytes());
}

TEST(Hex, UpperCaseOnlyWhereAskedFor) {
    EXPECT_EQ(from_hex("AB"), std::nullopt);
    EXPECT_EQ(from_hex("aB"), std::nullopt);
    EXPECT_EQ(from_hex("aB", true), "\xab");
}

TEST(Hex, RefusesEverythingElse) {
    for (const auto* const text : {"a", "abc", "0g", "g0", "0x", " 00", "00 ", "-1", "\xff\xff"}) {
        EXPECT_EQ(from_hex(text, true), std::nullopt) << text;
    }
    EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, DigestHasExactly64Digits) {
    const auto text = to_hex(sha256("abc"));
    EXPECT_EQ(digest_from_hex(text), sha256("abc"));
    EXPECT_EQ(digest_from_hex(text.substr(2)), std::nullopt);
    EXPECT_EQ(digest_from_hex(text + "00"), std::nullopt);
    EXPECT_EQ(digest_from_hex("g" + text.substr(1)), std::nullopt);
    EXPECT_EQ(digest_from_hex("B" + text.substr(1)), std::nullopt);
    EXPECT_EQ(digest_from_hex("B" + text.substr(1), true), sha256("abc"));
}

// RFC 4648 section 10
TEST(Base64, TestVectorsGoThereAndBack) {
    const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"},
                                                                   {"\xfb\xff", "+/8="}};
    for (const auto& [bytes, text] : vectors) {
        EXPECT_EQ(to_base64(bytes), text);
        EXPECT_EQ(from_base64(text), bytes);
    }
    EXPECT_EQ(from_base64(to_base64(all_bytes())), all_bytes());
}

TEST(Base64, RefusesWhatIsNotCanonical) {
    for (const auto* const text :
         {"Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v\n", "Zm 9v", "Zm9vYg==Zm9v",
          "Z=g=", "Zh==", "Zm9=", "-_8=", "Zm9vYmF", "\xff\xff\xff\xff"}) {
        EXPECT_EQ(from_base64(text), std::nullopt) << text;
    }
}

TEST(Base64, RefusesALetterOfNoAlphabetAtAnyPlace) {
    for (const std::string text : {"Zm9vYmFyYmF6", "Zm9vYmFyYg==", "Zm9vYmFyYmE="}) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            for (const char c : {'-', '_', '\0', '\x80', '@', '`', '='}) {
                std::string spoiled = text;
                spoiled[at] = c;
                EXPECT_TRUE(spoiled == text || !from_base64(spoiled)) << spoiled;
            }
        }
    }
}

}  // namespace
}  // namespace sluice::crypto
