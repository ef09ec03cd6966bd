#include "common/crypto/certificate.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <stdexcept>

#include <openssl/err.h>
#include <openssl/pem.h>

#include "common/crypto/openssl_handles.hpp"

namespace sluice::crypto {
namespace {

/// OpenSSL security levels: 112 bits, and anything.
constexpr int ordinary_level = 2;
constexpr int sha1_level = 0;

int no_certificate_passphrase(char*, int, int, void*) {
    return -1;
}

std::optional<WallTime> time_of(const ASN1_TIME* time) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
    return WallTime{std::chrono::seconds{::timegm(&parts)}};
}

/// Narrows to the time in which the whole chain is valid.
bool narrow(TrustedKey& key, X509_STORE_CTX* context) {
    const STACK_OF(X509)* const chain = X509_STORE_CTX_get0_chain(context);
    for (int i = 0; i < sk_X509_num(chain); ++i) {
        const auto from = time_of(X509_get0_notBefore(sk_X509_value(chain, i)));
        const auto until = time_of(X509_get0_notAfter(sk_X509_value(chain, i)));
        if (!from || !until) return false;
        key.not_before = std::max(key.not_before, *from);
        key.not_after = std::min(key.not_after, *until);
    }
    return true;
}

std::string spki_in(X509* certificate) {
    unsigned char* der = nullptr;
    const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    if (size <= 0) return {};
    std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return text;
}

std::string_view words_for_failure(X509_STORE_CTX* context) {
    const int failure = X509_STORE_CTX_get_error(context);
    return failure == X509_V_OK ? "one of its times cannot be read" : X509_verify_cert_error_string(failure);
}

std::string utf8_of(const ASN1_STRING* string) {
    unsigned char* bytes = nullptr;
    const int size = ASN1_STRING_to_UTF8(&bytes, string);
    if (size < 0) return {};
    std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    OPENSSL_free(bytes);
    return text;
}

}  // namespace

void Certificates::Free::operator()(x509_st* certificate) const noexcept {
    X509_free(certificate);
}
void TrustStore::Free::operator()(x509_store_st* store) const noexcept {
    X509_STORE_free(store);
}

std::optional<Certificates> Certificates::from_pem(std::string_view text) {
    if (text.size() > std::size_t{std::numeric_limits<int>::max()}) return std::nullopt;
    Certificates certificates;
    const BioHandle reader = reader_of(text);
    ERR_clear_error();
    while (X509* const one = PEM_read_bio_X509(reader.get(), nullptr, no_certificate_passphrase, nullptr))
        certificates.all_.emplace_back(one);
    // Any error but "no more certificates" means one that cannot be read.
    const bool is_whole = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    if (!is_whole || certificates.all_.empty() || certificates.size() > most) return std::nullopt;
    return certificates;
}

std::vector<std::string> Certificates::common_names() const {
    std::vector<std::string> names;
    const X509_NAME* const subject = X509_get_subject_name(all_.front().get());
    int at = -1;
    while ((at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) >= 0)
        names.push_back(utf8_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
    return names;
}

std::optional<WallTime> Certificates::not_before() const {
    return time_of(X509_get0_notBefore(all_.front().get()));
}

std::optional<WallTime> Certificates::not_after() const {
    return time_of(X509_get0_notAfter(all_.front().get()));
}

bool Certificates::has_root() const {
    return std::ranges::any_of(all_, [](const auto& one) { return X509_self_signed(one.get(), 0) == 1; });
}

Certificates Certificates::led_by(std::size_t leaf) const {
    Certificates ordered;
    const auto add = [&](std::size_t number) {
        X509_up_ref(all_[number].get());
        ordered.all_.emplace_back(all_[number].get());
    };
    add(leaf);
    for (std::size_t number = 0; number < all_.size(); ++number) {
        if (number != leaf) add(number);
    }
    return ordered;
}

std::string Certificates::to_pem() const {
    const BioHandle writer{BIO_new(BIO_s_mem())};
    if (!writer) return {};
    for (const auto& one : all_) {
        if (PEM_write_bio_X509(writer.get(), one.get()) != 1) return {};
    }
    std::string text(BIO_ctrl_pending(writer.get()), '\0');
    const int read = BIO_read(writer.get(), text.data(), static_cast<int>(text.size()));
    text.resize(static_cast<std::size_t>(std::max(read, 0)));
    return text;
}

TrustStore::TrustStore(const Certificates& trusted, Sha1 sha1) : store_{X509_STORE_new()}, sha1_{sha1} {
    for (const auto& one : trusted.all_) {
        if (!store_ || X509_STORE_add_cert(store_.get(), one.get()) != 1)
            throw std::invalid_argument{"cannot create a certificate store"};
    }
}

std::expected<TrustedKey, std::string_view> TrustStore::key_of(const Certificates& chain,
                                                               WallTime now) const {
    constexpr std::string_view no_memory = "out of memory";
    const StoreContextHandle context{X509_STORE_CTX_new()};
    const X509Stack others{sk_X509_new_null()};
    if (!context || !others) return std::unexpected{no_memory};
    for (const auto& one : chain.all_) sk_X509_push(others.get(), one.get());
    X509* const leaf = chain.all_.front().get();
    if (X509_STORE_CTX_init(context.get(), store_.get(), leaf, others.get()) != 1)
        return std::unexpected{no_memory};
    X509_VERIFY_PARAM* const rules = X509_STORE_CTX_get0_param(context.get());
    X509_VERIFY_PARAM_set_time(rules,
                               std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    X509_VERIFY_PARAM_set_auth_level(rules, sha1_ == Sha1::allowed ? sha1_level : ordinary_level);
    TrustedKey key{{}, WallTime::min(), WallTime::max()};
    const bool is_trusted = X509_verify_cert(context.get()) == 1 && narrow(key, context.get());
    ERR_clear_error();
    if (!is_trusted) return std::unexpected{words_for_failure(context.get())};
    key.spki = spki_in(leaf);
    if (key.spki.empty()) return std::unexpected{no_memory};
    return key;
}

}  // namespace sluice::crypto
