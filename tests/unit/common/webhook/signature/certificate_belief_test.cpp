// What a certificate must be to be believed. Leaves are issued here by the root of the vectors, since the
// vectors have no key that is too short.
#include "common/webhook/signature/certificate_belief.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <boost/crc.hpp>

#include "common/crypto/openssl_handles.hpp"
#include "tests/unit/common/webhook/vector_files.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t valid_at = 1'795'258'000;
constexpr const char* right_name = "messageverificationcerts.paypal.com";

std::string key_file(const std::string& name) {
    std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / "generate/keys" / (name + ".pem"));
    return {std::istreambuf_iterator<char>{file}, {}};
}

crypto::KeyHandle root_key() {
    const std::string text = key_file("root.key");
    const auto reader = crypto::reader_of(text);
    return crypto::KeyHandle{PEM_read_bio_PrivateKey(reader.get(), nullptr, nullptr, nullptr)};
}

/// A certificate for `key` that the root of the vectors signed, valid at that time.
crypto::Certificates issued_for(EVP_PKEY* key) {
    const std::string text = key_file("paypal_root");
    const auto reader = crypto::reader_of(text);
    const crypto::X509Handle root{PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)};
    const crypto::X509Handle leaf{X509_new()};
    X509_set_version(leaf.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(leaf.get()), 7);
    ASN1_TIME_set(X509_getm_notBefore(leaf.get()), valid_at - 3600);
    ASN1_TIME_set(X509_getm_notAfter(leaf.get()), valid_at + 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(leaf.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(right_name), -1, -1, 0);
    X509_set_issuer_name(leaf.get(), X509_get_subject_name(root.get()));
    X509_set_pubkey(leaf.get(), key);
    X509_sign(leaf.get(), root_key().get(), EVP_sha256());
    const crypto::BioHandle writer{BIO_new(BIO_s_mem())};
    PEM_write_bio_X509(writer.get(), leaf.get());
    std::string pem(BIO_ctrl_pending(writer.get()), '\0');
    BIO_read(writer.get(), pem.data(), static_cast<int>(pem.size()));
    return crypto::Certificates::from_pem(pem).value();
}

crypto::KeyHandle rsa_key(unsigned bits) {
    return crypto::KeyHandle{EVP_RSA_gen(bits)};
}

CertificateTrust trusting(crypto::TrustStore::Sha1 sha1) {
    return {.rule = {},
            .slot = 1,
            .hosts = {},
            .cache = {},
            .store = {crypto::Certificates::from_pem(key_file("paypal_root")).value(), sha1},
            .name = ".paypal.com"};
}

/// Why not; empty when believed.
std::string disbelief(EVP_PKEY* key, crypto::TrustStore::Sha1 sha1) {
    const auto believed = believe(issued_for(key), trusting(sha1), at_unix(valid_at));
    return believed ? std::string{} : std::string{believed.error().why};
}

// A store that allows SHA-1 has OpenSSL's own bound on keys switched off.
TEST(CertificateBelief, WantsRsaKeysOfTwoThousandAndFortyEightBits) {
    using enum crypto::TrustStore::Sha1;
    EXPECT_EQ(disbelief(rsa_key(1024).get(), allowed), "key has less than 2048 bits");
    EXPECT_EQ(disbelief(rsa_key(2040).get(), allowed), "key has less than 2048 bits");
    EXPECT_EQ(disbelief(rsa_key(1024).get(), refused), "EE certificate key too weak");
    for (const auto sha1 : {allowed, refused}) EXPECT_EQ(disbelief(rsa_key(2048).get(), sha1), "");
}

TEST(CertificateBelief, WantsNoOtherKindOfKey) {
    const crypto::KeyHandle key{EVP_EC_gen("P-256")};
    EXPECT_EQ(disbelief(key.get(), crypto::TrustStore::Sha1::refused), "key is not RSA");
}

std::string signed_by(EVP_PKEY* key, const std::string& text) {
    const std::unique_ptr<EVP_MD_CTX, decltype([](EVP_MD_CTX* context) { EVP_MD_CTX_free(context); })>
        context{EVP_MD_CTX_new()};
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key);
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string signature(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   text.size());
    return crypto::to_base64(signature);
}

/// What the verifier says of a request that `key` signed, its certificate in the folder.
std::string verdict_on(EVP_PKEY* key) {
    Files files;
    const std::string address = "https://api.paypal.com/v1/certs/CERT-1";
    Json source = read_vectors("paypal")["source"];
    source["with"]["cert_cache"] = {
        {"files", {{CertificateFolder::name_for(address), issued_for(key).to_pem()}}}};
    const auto configured = configured_for(source, "paypal", files);
    const std::string body = R"({"id":"WH-1","event_type":"X","resource":{}})";
    boost::crc_32_type crc;
    crc.process_bytes(body.data(), body.size());
    const std::string text = "t1|2026-11-21T10:46:32Z|" + source["with"]["webhook_id"].get<std::string>() +
                             "|" + std::to_string(crc.checksum());
    const Delivery delivery{{{"PAYPAL-TRANSMISSION-ID", "t1"},
                             {"PAYPAL-TRANSMISSION-TIME", "2026-11-21T10:46:32Z"},
                             {"PAYPAL-CERT-URL", address},
                             {"PAYPAL-AUTH-ALGO", "SHA256withRSA"},
                             {"PAYPAL-TRANSMISSION-SIG", signed_by(key, text)}},
                            body};
    return verdict(configured.only(), delivery, at_unix(valid_at));
}

TEST(CertificateBelief, OfShortKeysTheVerifierHasNone) {
    EXPECT_EQ(verdict_on(rsa_key(2048).get()), "");
    EXPECT_EQ(verdict_on(rsa_key(1024).get()), "certificate");
}

TEST(Certificates, KeepTheirOrderBehindTheLeaf) {
    const auto all = crypto::Certificates::from_pem(
        key_file("paypal_root") + key_file("paypal_intermediate") + key_file("paypal_leaf"));
    ASSERT_TRUE(all);
    EXPECT_EQ(all->led_by(2).to_pem(),
              key_file("paypal_leaf") + key_file("paypal_root") + key_file("paypal_intermediate"));
    EXPECT_EQ(all->led_by(0).to_pem(), all->to_pem());
    EXPECT_EQ(all->not_after(), at_unix(2'366'841'600));
}

}  // namespace
}  // namespace sluice::webhook::test
