#include "ctl/send/signing/sealing.hpp"

#include <stdexcept>
#include <string>

#include "common/crypto/aead.hpp"
#include "common/crypto/encoding.hpp"
#include "common/crypto/openssl_handles.hpp"

namespace sluice::ctl {
namespace {

std::string text_at(const Json& body, const webhook::Pointer& pointer) {
    const Json::json_pointer place{pointer.text()};
    return body.contains(place) ? body[place].get<std::string>() : std::string{};
}

/// AES-256-GCM, the tag behind the ciphertext.
std::string sealed(const Secret& key, const std::string& nonce, const std::string& associated,
                   const std::string& plain) {
    const crypto::CipherHandle cipher{EVP_CIPHER_CTX_new()};
    std::string out(plain.size() + crypto::gcm_tag_size, '\0');
    auto* const at = reinterpret_cast<unsigned char*>(out.data());
    int size = 0;
    int rest = 0;
    const bool fits =
        key.bytes().size() == crypto::aes_256_key_size && nonce.size() == crypto::gcm_nonce_size;
    if (!fits || !cipher ||
        EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, crypto::input_of(key.bytes()),
                           crypto::input_of(nonce)) != 1 ||
        EVP_EncryptUpdate(cipher.get(), nullptr, &size, crypto::input_of(associated),
                          static_cast<int>(associated.size())) != 1 ||
        EVP_EncryptUpdate(cipher.get(), at, &size, crypto::input_of(plain), static_cast<int>(plain.size())) !=
            1 ||
        EVP_EncryptFinal_ex(cipher.get(), at + size, &rest) != 1 ||
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, crypto::gcm_tag_size, at + plain.size()) !=
            1)
        throw std::runtime_error{"the body cannot be encrypted"};
    return out;
}

}  // namespace

void seal(const webhook::Program& program, Json& body) {
    const auto& rule = program.body.encrypted;
    if (!rule) return;
    const Json::json_pointer ciphertext{rule->ciphertext.text()};
    const Json::json_pointer plain = ciphertext.parent_pointer() / "plain";
    if (!body.contains(plain)) return;
    body[ciphertext] = crypto::to_base64(sealed(program.body_key, text_at(body, rule->nonce),
                                                text_at(body, rule->associated), to_line(body[plain])));
    body[ciphertext.parent_pointer()].erase("plain");
}

}  // namespace sluice::ctl
