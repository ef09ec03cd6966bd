#include "common/crypto/hmac.hpp"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::crypto {
namespace {

std::string mac_of(HmacSha256& hmac, std::string_view message) {
    return to_hex(hmac(std::array{message}));
}

// RFC 4231 section 4
TEST(HmacSha256, TestVectors) {
    HmacSha256 one{Secret{std::string(20, '\x0b')}};
    EXPECT_EQ(mac_of(one, "Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    HmacSha256 two{Secret{"Jefe"}};
    EXPECT_EQ(mac_of(two, "what do ya want for nothing?"),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    HmacSha256 six{Secret{std::string(131, '\xaa')}};
    EXPECT_EQ(mac_of(six, "Test Using Larger Than Block-Size Key - Hash Key First"),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacSha256, SegmentsCountAsOneString) {
    HmacSha256 hmac{Secret{"Jefe"}};
    const std::array<std::string_view, 4> segments{"what do ya ", "", "want for", " nothing?"};
    EXPECT_EQ(to_hex(hmac(segments)), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(HmacSha256, SegmentsOfAnyLengthCountAsOneString) {
    HmacSha256 hmac{Secret{"Jefe"}};
    std::string message;
    for (int i = 0; i < 700; ++i) message += static_cast<char>(i % 251);
    const std::string_view whole{message};
    const auto expected = mac_of(hmac, whole);
    for (const std::size_t first : {0U, 1U, 255U, 256U, 257U}) {
        for (const std::size_t second : {0U, 1U, 254U, 255U, 256U, 257U}) {
            const std::array segments{whole.substr(0, first), whole.substr(first, second),
                                      whole.substr(first + second)};
            EXPECT_EQ(to_hex(hmac(segments)), expected) << first << ' ' << second;
        }
    }
}

TEST(HmacSha256, EachMessageStartsAnew) {
    HmacSha256 hmac{Secret{"Jefe"}};
    const auto first = mac_of(hmac, "one");
    EXPECT_NE(mac_of(hmac, "two"), first);
    EXPECT_EQ(mac_of(hmac, "one"), first);
}

TEST(HmacSha256, KeepsItsKeyWhenMoved) {
    HmacSha256 from{Secret{"Jefe"}};
    const auto expected = mac_of(from, "one");
    HmacSha256 to{std::move(from)};
    EXPECT_EQ(mac_of(to, "one"), expected);
}

TEST(HmacSha256, AnEmptyKeyIsAKey) {
    HmacSha256 hmac{Secret{}};
    EXPECT_EQ(mac_of(hmac, ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

}  // namespace
}  // namespace sluice::crypto
