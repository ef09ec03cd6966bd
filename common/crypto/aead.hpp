#pragma once

#include <string>
#include <string_view>

#include "common/secret.hpp"

namespace sluice::crypto {

/// AES-256-GCM (NIST SP 800-38D): nonces of 12 bytes, tags of 16 bytes after the ciphertext.
inline constexpr std::size_t aes_256_key_size = 32;
inline constexpr std::size_t gcm_nonce_size = 12;
inline constexpr std::size_t gcm_tag_size = 16;

struct Sealed {
    std::string_view nonce;
    std::string_view associated;  ///< what the tag also covers; may be empty
    std::string_view ciphertext;  ///< followed by the tag
};

/// Writes the plain text into `plain`, whose memory is reused. False, and `plain` is empty, unless the tag is
/// right: no unverified text is returned.
[[nodiscard]] bool open_aes_256_gcm(const Secret& key, const Sealed& sealed, std::string& plain);

}  // namespace sluice::crypto
