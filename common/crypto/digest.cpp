#include "common/crypto/digest.hpp"

#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace sluice::crypto {
namespace {

// Fetched once: a fetch per digest costs about a microsecond and a lock (performance.md section 4).
const EVP_MD* sha256_algorithm() {
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (algorithm == nullptr) throw std::runtime_error{"OpenSSL offers no SHA-256"};
    return algorithm;
}

void require(int answer) {
    if (answer != 1) throw std::runtime_error{"OpenSSL failed to compute a digest"};
}

}  // namespace

Digest sha256(std::string_view bytes) {
    Digest digest;
    require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, sha256_algorithm(), nullptr));
    return digest;
}

Digest160 sha1(std::string_view bytes) {
    Digest160 digest;
    require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha1(), nullptr));
    return digest;
}

void PartsDigest::Free::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}

PartsDigest::PartsDigest() : context_{EVP_MD_CTX_new()} {
    if (context_ == nullptr) throw std::bad_alloc{};
    begin();
}

PartsDigest::~PartsDigest() = default;

void PartsDigest::begin() {
    require(EVP_DigestInit_ex2(context_.get(), sha256_algorithm(), nullptr));
}

void PartsDigest::part(std::string_view bytes) {
    std::array<std::uint8_t, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] = static_cast<std::uint8_t>(std::uint64_t{bytes.size()} >> (56 - 8 * i));
    }
    require(EVP_DigestUpdate(context_.get(), length.data(), length.size()));
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

Digest PartsDigest::finish() {
    Digest digest;
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    return digest;
}

bool equal_constant_time(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace sluice::crypto
