#include <gtest/gtest.h>
#include <openssl/crypto.h>

#include "tests/unit/common/webhook/fixture.hpp"

namespace {

int comparisons = 0;

}  // namespace

// In OpenSSL's place: as slow for a difference at the first byte as for one at the last, and counted.
int CRYPTO_memcmp(const void* one, const void* other, std::size_t bytes) {
    ++comparisons;
    unsigned difference = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
        difference |= static_cast<unsigned>(static_cast<const unsigned char*>(one)[i] ^
                                            static_cast<const unsigned char*>(other)[i]);
    }
    return static_cast<int>(difference);
}

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;
const std::string body = R"({"id":"evt_1"})";
const std::string good = stripe_v1(secret, now, body);
const std::string bad(64, 'a');

/// How many comparisons in constant time it takes to judge these signatures against three keys, one of
/// which has expired; nothing else may compare them, so that the time tells nobody which one was right.
int comparisons_of(const std::vector<std::string>& signatures, const std::string& expected) {
    const auto configured =
        stripe("",
               "keys: [{id: a, value: {env: SLUICE_TEST_FIRST}}, {id: b, value: {env: SLUICE_TEST_OTHER}},"
               " {id: c, value: {env: SLUICE_TEST_BASE64}, not_after: 2025-11-20T00:00:00Z}]");
    std::string header = "t=" + std::to_string(now);
    for (const auto& signature : signatures) header += ",v1=" + signature;
    comparisons = 0;
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, body}, at_unix(now)), expected);
    return comparisons;
}

TEST(Comparisons, AreAsManyWhicheverSignatureIsRight) {
    EXPECT_EQ(comparisons_of({bad, bad, bad}, "signature_mismatch"), 6);
    EXPECT_EQ(comparisons_of({good, bad, bad}, ""), 6) << "the first that matched ended the search";
    EXPECT_EQ(comparisons_of({bad, bad, good}, ""), 6);
}

TEST(Comparisons, AreAsManyWhicheverKeyIsRight) {
    const std::string by_last = stripe_v1(other_secret, now, body);
    EXPECT_EQ(comparisons_of({good}, ""), 2) << "the first key that matched ended the search";
    EXPECT_EQ(comparisons_of({by_last}, ""), 2);
}

}  // namespace
}  // namespace sluice::webhook::test
