#include "common/crypto/aead.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::crypto {
namespace {

std::string bytes(std::string_view hex) {
    return from_hex(hex).value();
}

// Test case 16 of "The Galois/Counter Mode of Operation" (McGrew, Viega).
struct Case {
    Secret key{bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")};
    std::string nonce = bytes("cafebabefacedbaddecaf888");
    std::string associated = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    std::string ciphertext = bytes(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b");
    std::string plain = "what was there before";

    bool open() { return open_aes_256_gcm(key, {nonce, associated, ciphertext}, plain); }
    void expect_refused(std::string_view why) {
        EXPECT_FALSE(open()) << why;
        EXPECT_EQ(plain, "") << why;
    }
};

TEST(Aes256Gcm, OpensWhatIsPublished) {
    Case one;
    ASSERT_TRUE(one.open());
    EXPECT_EQ(to_hex(one.plain),
              "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
              "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
}

TEST(Aes256Gcm, LetsNothingOutThatTheTagDoesNotCover) {
    for (std::size_t bit = 0; bit < 8 * Case{}.ciphertext.size(); ++bit) {
        Case one;
        one.ciphertext[bit / 8] = static_cast<char>(one.ciphertext[bit / 8] ^ (1 << (bit % 8)));
        one.expect_refused("bit " + std::to_string(bit));
    }
    Case associated;
    associated.associated.back() = 'x';
    associated.expect_refused("another associated text");
    Case without;
    without.associated.clear();
    without.expect_refused("no associated text");
    Case nonce;
    nonce.nonce.front() = 'x';
    nonce.expect_refused("another nonce");
    Case key;
    key.key = Secret{std::string(32, 'k')};
    key.expect_refused("another key");
}

TEST(Aes256Gcm, RefusesOtherLengths) {
    Case tag_cut;
    tag_cut.ciphertext.pop_back();
    tag_cut.expect_refused("a tag of 15 bytes");
    Case no_tag;
    no_tag.ciphertext.resize(gcm_tag_size - 1);
    no_tag.expect_refused("less than a tag");
    Case nonce;
    nonce.nonce += "four";
    nonce.expect_refused("a nonce of 16 bytes");
    Case key;
    key.key = Secret{std::string(31, 'k')};
    key.expect_refused("a key of 31 bytes");
}

TEST(Aes256Gcm, OpensAnEmptyText) {
    // Test case 13: a zero key, a zero nonce, no text.
    std::string plain = "before";
    const std::string tag = bytes("530f8afbc74536b9a963b4f1c4cb738b");
    EXPECT_TRUE(open_aes_256_gcm(Secret{std::string(32, '\0')}, {std::string(12, '\0'), {}, tag}, plain));
    EXPECT_EQ(plain, "");
}

}  // namespace
}  // namespace sluice::crypto
