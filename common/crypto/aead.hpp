#pragma once

#include <string>
#include <string_view>

#include "common/secret.hpp"

namespace sluice::crypto {

/// AES-256-GCM (NIST SP 800-38D): nonces of 12 bytes, tags of 16, which stand behind the ciphertext.
inline constexpr std::size_t aes_256_key_size = 32;
inline constexpr std::size_t gcm_nonce_size = 12;
inline constexpr std::size_t gcm_tag_size = 16;

struct Sealed {
    std::string_view nonce;
    std::string_view associated;  ///< what the tag covers besides; may be empty
    std::string_view ciphertext;  ///< and the tag
};

/// The plain text into `plain`, whose memory is used again. False, and `plain` is empty, unless the tag is
/// right: nothing of an unproven text comes out.
[[nodiscard]] bool open_aes_256_gcm(const Secret& key, const Sealed& sealed, std::string& plain);

}  // namespace sluice::crypto
