#include "common/crypto/aead.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "common/crypto/openssl_handles.hpp"

namespace sluice::crypto {
namespace {

bool begin(EVP_CIPHER_CTX* cipher, const Secret& key, const Sealed& sealed) {
    int ignored = 0;
    return EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nullptr, nullptr, nullptr) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_IVLEN, gcm_nonce_size, nullptr) == 1 &&
           EVP_DecryptInit_ex(cipher, nullptr, nullptr, input_of(key.bytes()), input_of(sealed.nonce)) == 1 &&
           (sealed.associated.empty() ||
            EVP_DecryptUpdate(cipher, nullptr, &ignored, input_of(sealed.associated),
                              static_cast<int>(sealed.associated.size())) == 1);
}

/// EVP_DecryptFinal_ex compares the tag.
bool finish(EVP_CIPHER_CTX* cipher, std::string_view text, std::string_view tag, std::string& plain) {
    auto* const out = reinterpret_cast<unsigned char*>(plain.data());
    std::string expected{tag};
    int size = 0;
    int rest = 0;
    return EVP_DecryptUpdate(cipher, out, &size, input_of(text), static_cast<int>(text.size())) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, gcm_tag_size, expected.data()) == 1 &&
           EVP_DecryptFinal_ex(cipher, out + size, &rest) == 1;
}

}  // namespace

bool open_aes_256_gcm(const Secret& key, const Sealed& sealed, std::string& plain) {
    constexpr std::size_t longest = std::size_t{1} << 30;
    plain.clear();
    if (key.bytes().size() != aes_256_key_size || sealed.nonce.size() != gcm_nonce_size) return false;
    if (sealed.ciphertext.size() < gcm_tag_size || sealed.ciphertext.size() > longest ||
        sealed.associated.size() > longest)
        return false;
    const std::string_view text = sealed.ciphertext.substr(0, sealed.ciphertext.size() - gcm_tag_size);
    const std::string_view tag = sealed.ciphertext.substr(text.size());
    plain.resize(text.size());
    const CipherHandle cipher{EVP_CIPHER_CTX_new()};
    if (cipher && begin(cipher.get(), key, sealed) && finish(cipher.get(), text, tag, plain)) return true;
    OPENSSL_cleanse(plain.data(), plain.size());
    plain.clear();
    return false;
}

}  // namespace sluice::crypto
