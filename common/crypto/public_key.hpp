#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct evp_pkey_st;
struct evp_md_ctx_st;

namespace sluice::crypto {

/// The SubjectPublicKeyInfo (DER, RFC 5280 section 4.1) in a text as people have it: PEM of a public key
/// or of a certificate, or the DER of one in base64 with or without line breaks. Nothing when it is
/// none of these, or a private key.
[[nodiscard]] std::optional<std::string> public_key_from(std::string_view text);
/// Of the 32 bytes of an Ed25519 key (RFC 8032).
[[nodiscard]] std::optional<std::string> ed25519_key_from(std::string_view bytes);

/// What a SubjectPublicKeyInfo is a key for.
enum class PublicKeyKind { rsa, ed25519, other };
struct PublicKeyFacts {
    PublicKeyKind kind = PublicKeyKind::other;
    int bits = 0;
};
[[nodiscard]] std::optional<PublicKeyFacts> facts_of_key(std::string_view spki);

/// Checks signatures under one public key. Not thread-safe: one per thread.
class PublicKey {
public:
    /// `spki` comes from one of the functions above; throws std::invalid_argument otherwise.
    explicit PublicKey(std::string_view spki);
    ~PublicKey();
    PublicKey(PublicKey&&) noexcept;
    PublicKey& operator=(PublicKey&&) noexcept;

    /// RSASSA-PKCS1-v1_5 with SHA-256 over the segments as if they were one string.
    [[nodiscard]] bool made_rsa_sha256(std::span<const std::string_view> segments,
                                       std::string_view signature);
    [[nodiscard]] bool made_ed25519(std::string_view text, std::string_view signature);

private:
    struct FreeKey {
        void operator()(evp_pkey_st*) const noexcept;
    };
    struct FreeContext {
        void operator()(evp_md_ctx_st*) const noexcept;
    };
    std::unique_ptr<evp_pkey_st, FreeKey> key_;
    std::unique_ptr<evp_md_ctx_st, FreeContext> context_;
};

}  // namespace sluice::crypto
