#include "common/webhook/signature/candidate.hpp"

#include <algorithm>

#include "common/crypto/encoding.hpp"

namespace sluice::webhook {

namespace {

bool from_hex(std::string_view text, bool any_case, Signature& signature) {
    signature.size = text.size() / 2;
    return signature.size <= longest_signature && crypto::read_hex(signature.bytes.data(), text, any_case);
}

bool from_base64(std::string_view text, Signature& signature) {
    if (text.size() / 4 * 3 > signature.bytes.size()) return false;
    const auto size = crypto::read_base64(signature.bytes.data(), text);
    signature.size = size.value_or(0);
    return size.has_value();
}

bool from_text(std::string_view text, Signature& signature) {
    if (text.size() > longest_signature) return false;
    std::ranges::copy(text, signature.bytes.begin());
    signature.size = text.size();
    return true;
}

}  // namespace

bool decode_signature(std::string_view text, Encoding encoding, Signature& signature) {
    switch (encoding) {
        case Encoding::hex:
            return from_hex(text, false, signature);
        case Encoding::hex_any_case:
            return from_hex(text, true, signature);
        case Encoding::base64:
            return from_base64(text, signature);
        case Encoding::text:
            return from_text(text, signature);
    }
    return false;
}

bool is_size_of(Algorithm algorithm, std::size_t bytes) noexcept {
    switch (algorithm) {
        case Algorithm::hmac_sha256:
            return bytes == 32;
        case Algorithm::hmac_sha1:
            return bytes == 20;
        case Algorithm::ed25519:
            return bytes == 64;
        case Algorithm::rsa_sha256:
            return bytes >= 128 && bytes <= longest_signature;
        case Algorithm::equal:
            return bytes > 0;
    }
    return false;
}

std::string text_of(std::string_view signature, Encoding encoding) {
    if (encoding == Encoding::text) return std::string(signature);
    return encoding == Encoding::base64 ? crypto::to_base64(signature) : crypto::to_hex(signature);
}

}  // namespace sluice::webhook
