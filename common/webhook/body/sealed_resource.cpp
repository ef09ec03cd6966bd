#include "common/webhook/body/sealed_resource.hpp"

#include "common/crypto/aead.hpp"
#include "common/crypto/encoding.hpp"
#include "common/error.hpp"

namespace sluice::webhook {

namespace {

constexpr std::string_view only_algorithm = "AEAD_AES_256_GCM";

/// Absent and null are no text, which differs from a value of another type.
Result<std::string_view> optional_text(const JsonView& view, const Pointer& pointer) {
    const auto type = view.type(pointer);
    if (!type && type.error() == errc::missing_pointer) return std::string_view{};
    if (type && *type == JsonType::null) return std::string_view{};
    return view.string(pointer);
}

bool is_object(const JsonView& view) {
    return view.type(Pointer{}) == JsonType::object;
}

}  // namespace

bool SealedResource::open(const EncryptedRule& rule, const Secret& key, std::string_view body,
                          const JsonView& view, std::string& json) {
    if (!is_object(view) || !decrypt(rule, key, view)) return false;
    // Parsed alone: pasted in unread, it could end its own object and begin another.
    if (!inside_.read(plain_) || !is_object(inside_)) return false;
    json.assign(R"({"decrypted":)").append(plain_).append(",");
    json.append(body.substr(body.find('{') + 1));
    return true;
}

bool SealedResource::decrypt(const EncryptedRule& rule, const Secret& key, const JsonView& view) {
    const auto text = view.string(rule.ciphertext);
    if (!text) return false;
    sealed_.resize(text->size() / 4 * 3);
    const auto size = crypto::read_base64(reinterpret_cast<std::uint8_t*>(sealed_.data()), *text);
    const auto algorithm = view.string(rule.algorithm);
    const auto nonce = view.string(rule.nonce);
    const auto associated = optional_text(view, rule.associated);
    if (!size || !nonce || !associated || algorithm != only_algorithm) return false;
    const std::string_view ciphertext = std::string_view{sealed_}.substr(0, *size);
    return crypto::open_aes_256_gcm(key, {*nonce, *associated, ciphertext}, plain_);
}

}  // namespace sluice::webhook
