// What WeChat Pay sends encrypted. The requests of tests/vectors say more; here is what a body must not do.
#include <gtest/gtest.h>

#include <openssl/evp.h>

#include "common/error.hpp"
#include "common/webhook/extract/decode.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

const std::string api_v3_key = "0123456789abcdefGHIJKLMNOPQRSTUV";
const std::string nonce = "fdasfjihihih";

/// Ciphertext and tag, in base64.
std::string sealed(std::string_view plain) {
    const auto octets = [](auto& text) { return reinterpret_cast<unsigned char*>(text.data()); };
    const auto input = [](std::string_view text) {
        return reinterpret_cast<const unsigned char*>(text.data());
    };
    std::string out(plain.size() + 16, '\0');
    int size = 0;
    EVP_CIPHER_CTX* const cipher = EVP_CIPHER_CTX_new();
    EXPECT_EQ(EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nullptr, input(api_v3_key), input(nonce)), 1);
    EXPECT_EQ(EVP_EncryptUpdate(cipher, octets(out), &size, input(plain), static_cast<int>(plain.size())), 1);
    EXPECT_EQ(EVP_EncryptFinal_ex(cipher, octets(out) + size, &size), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 16, out.data() + plain.size()), 1);
    EVP_CIPHER_CTX_free(cipher);
    return crypto::to_base64(out);
}

std::string body(std::string_view plain, std::string_view algorithm = "AEAD_AES_256_GCM",
                 std::string_view in_front = "") {
    return " {" + std::string(in_front) + R"("id":"EV-1","resource":{"algorithm":")" +
           std::string(algorithm) + R"(","nonce":")" + nonce + R"(","associated_data":null,"ciphertext":")" +
           sealed(plain) + "\"}}\n";
}

Configured wechat(bool with_keys) {
    ::setenv("SLUICE_TEST_API_V3", api_v3_key.c_str(), 1);
    return Configured(
        "sources: [{name: w, principal: w, recipe: wechat-pay, keys: [{id: S, value: {env: "
        "SLUICE_TEST_IS_NOT_THERE}}], "
        "with: {api_v3_key: {env: SLUICE_TEST_API_V3}}}]\n",
        with_keys);
}

std::string decoded(std::string_view text, std::string_view pointer) {
    static const auto configured = wechat(false);
    EXPECT_EQ(configured.problems.report(), "");
    JsonView view;
    if (const auto read = decode(configured.only(), text, view); !read) return read.error().message();
    return view.minified(Pointer::parse(pointer).value()).value_or("nothing");
}

const std::string unreadable = make_error_code(errc::unreadable_body).message();

// The consumer has no keys of the ingress, and opens bodies all the same.
TEST(SealedResource, OpensWithoutTheKeysOfSignatures) {
    const std::string text = body(R"({"out_trade_no":"o-1","amount":{"total":100}})");
    EXPECT_EQ(decoded(text, "/decrypted/amount"), R"({"total":100})");
    EXPECT_EQ(decoded(text, "/id"), "\"EV-1\"");
    EXPECT_EQ(decoded(text, "/resource/nonce"), "\"" + nonce + "\"");
    EXPECT_TRUE(wechat(true).refuses("SLUICE_TEST_IS_NOT_THERE"));
}

TEST(SealedResource, HoldsOneObjectAndNothingElse) {
    for (const std::string_view plain :
         {"", "1", "[1]", R"({"a":1},"id":"EV-2","b":{})", R"({"a":1)", "{} {}"})
        EXPECT_EQ(decoded(body(plain), ""), unreadable) << plain;
}

TEST(SealedResource, DoesNotObeyTheMessage) {
    EXPECT_EQ(decoded(body("{}", "AEAD_AES_128_GCM"), ""), unreadable);
    // Somebody's own "decrypted" beside ours is a key that stands twice.
    EXPECT_EQ(decoded(body("{}", "AEAD_AES_256_GCM", R"("decrypted":{"a":1},)"), "/decrypted/a"), "nothing");
}

std::optional<std::string> opened(std::string_view text) {
    static const auto configured = wechat(false);
    return opened_body(configured.only(), text).value_or("sealed");
}

std::string edited(std::string_view text, std::string_view pointer) {
    static const auto configured = wechat(false);
    JsonView view;
    if (const auto read = decode_edited(configured.only(), text, view); !read) return read.error().message();
    return view.minified(Pointer::parse(pointer).value()).value_or("nothing");
}

TEST(SealedResource, OpenedAsTextIsReadAgainAsAnOperatorLeavesIt) {
    const std::string text = body(R"({"out_trade_no":"o-1","amount":{"total":100}})");
    std::string whole = opened(text).value_or("as it came");
    EXPECT_TRUE(
        whole.starts_with(R"({"decrypted":{"out_trade_no":"o-1","amount":{"total":100}},"id":"EV-1",)"))
        << whole;
    EXPECT_EQ(opened(whole), std::nullopt) << "nothing is left to open";
    EXPECT_EQ(edited(whole, "/decrypted/amount"), R"({"total":100})");
    whole.replace(whole.find("100"), 3, "88");
    EXPECT_EQ(edited(whole, "/decrypted/amount"), R"({"total":88})");
    EXPECT_EQ(decoded(whole, "/decrypted/amount"), "nothing") << "never for what came from outside";
    EXPECT_EQ(edited(text, "/decrypted/amount"), R"({"total":100})") << "an edit that left it sealed";
    EXPECT_EQ(opened("{}"), "sealed");
    EXPECT_EQ(edited("{}", ""), unreadable);
    EXPECT_EQ(edited(R"({"decrypted":{"a":1},"decrypted":{"a":2}})", "/decrypted/a"), "nothing");
}

TEST(SealedResource, WantsAKeyOfTheRightLength) {
    ::setenv("SLUICE_TEST_SHORT", "too short", 1);
    const Configured configured(
        "sources: [{name: w, principal: w, recipe: wechat-pay, keys: [{id: S, value: {env: "
        "SLUICE_TEST_FIRST}}], "
        "with: {api_v3_key: {env: SLUICE_TEST_SHORT}}}]\n",
        false);
    EXPECT_TRUE(configured.refuses("api_v3_key must have 32 bytes"));
}

}  // namespace
}  // namespace sluice::webhook::test
