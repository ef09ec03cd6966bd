#include "ingress/verify/candidate.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "common/crypto/encoding.hpp"

namespace sluice::verify {

namespace {

constexpr std::size_t base64_length = 44;  // of 32 bytes

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::optional<crypto::Digest> from_base64(std::string_view text) {
    if (text.size() != base64_length) return std::nullopt;
    std::array<unsigned char, base64_length / 4 * 3> decoded{};
    if (EVP_DecodeBlock(decoded.data(), bytes_of(text), base64_length) < 0) return std::nullopt;
    crypto::Digest digest;
    std::copy_n(decoded.begin(), digest.size(), digest.begin());

    // The decoder is lenient; one signature must have one spelling.
    std::array<unsigned char, base64_length + 1> spelled{};
    EVP_EncodeBlock(spelled.data(), digest.data(), static_cast<int>(digest.size()));
    if (!std::equal(spelled.begin(), spelled.end() - 1, bytes_of(text))) return std::nullopt;
    return digest;
}

}  // namespace

std::optional<crypto::Digest> candidate_from(std::string_view text, Encoding encoding) {
    switch (encoding) {
        case Encoding::hex:
            return crypto::digest_from_hex(text);
        case Encoding::hex_any_case:
            return crypto::digest_from_hex(text, true);
        case Encoding::base64:
            return from_base64(text);
    }
    return std::nullopt;
}

std::string text_of(const crypto::Digest& digest, Encoding encoding) {
    return encoding == Encoding::base64 ? crypto::to_base64(crypto::as_text(digest)) : crypto::to_hex(digest);
}

}  // namespace sluice::verify
