#include "common/crypto/digest.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace sluice::crypto {
namespace {

// Fetched once: a fetch per digest costs about a microsecond and a lock.
const EVP_MD* sha256_algorithm() {
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (algorithm == nullptr) throw std::runtime_error{"OpenSSL does not offer SHA-256"};
    return algorithm;
}

void require(int answer) {
    if (answer != 1) throw std::runtime_error{"OpenSSL failed to compute a digest"};
}

constexpr std::uint64_t big_endian(std::uint64_t number) {
    return std::endian::native == std::endian::little ? std::byteswap(number) : number;
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
    constexpr std::size_t longest_in_one = 120;  // a call to OpenSSL costs more than a copy
    std::array<char, sizeof(std::uint64_t) + longest_in_one> both;
    const std::uint64_t length = big_endian(bytes.size());
    std::memcpy(both.data(), &length, sizeof length);
    const bool fits = bytes.size() <= longest_in_one;
    if (fits) bytes.copy(both.data() + sizeof length, bytes.size());
    update({both.data(), sizeof length + (fits ? bytes.size() : 0)});
    if (!fits) update(bytes);
}

void PartsDigest::update(std::string_view bytes) {
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
