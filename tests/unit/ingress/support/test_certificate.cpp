#include "tests/unit/ingress/support/test_certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace sluice::ingress {
namespace {

template <auto Free>
struct With {
    template <class T>
    void operator()(T* handle) const {
        Free(handle);
    }
};

using Key = std::unique_ptr<EVP_PKEY, With<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, With<X509_free>>;
using File = std::unique_ptr<FILE, With<std::fclose>>;

Certificate self_signed(EVP_PKEY& key) {
    constexpr long hour = 3600;
    Certificate certificate{X509_new()};
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -hour);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), hour);
    X509_set_pubkey(certificate.get(), &key);
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"),
                               -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_sign(certificate.get(), &key, EVP_sha256());
    return certificate;
}

}  // namespace

TestCertificate::TestCertificate() {
    std::string pattern = std::filesystem::temp_directory_path() / "sluice-tls-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    certificate_ = folder_ + "/cert.pem";
    key_ = folder_ + "/key.pem";
    const Key key{EVP_EC_gen("P-256")};
    const Certificate certificate = self_signed(*key);
    PEM_write_X509(File{std::fopen(certificate_.c_str(), "w")}.get(), certificate.get());
    PEM_write_PrivateKey(File{std::fopen(key_.c_str(), "w")}.get(), key.get(), nullptr, nullptr, 0, nullptr,
                         nullptr);
}

TestCertificate::~TestCertificate() {
    std::filesystem::remove_all(folder_);
}

}  // namespace sluice::ingress
