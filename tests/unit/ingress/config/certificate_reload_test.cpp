#include "ingress/config/certificate_reload.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <fstream>

#include "ingress/connection/server_tls.hpp"
#include "tests/unit/ingress/support/test_certificate.hpp"

namespace sluice::ingress {
namespace {

namespace fs = std::filesystem;

/// A folder with a certificate and its key, as Kubernetes mounts a Secret: names that lead through a link.
class CertificateReloading : public testing::Test {
protected:
    CertificateReloading() {
        fs::create_directories(folder_);
        swap_to(first_);
        for (const char* file : {"tls.crt", "tls.key"})
            fs::create_symlink(fs::path{"..data"} / file, folder_ / file);
    }
    ~CertificateReloading() override { fs::remove_all(folder_); }

    void swap_to(const TestCertificate& pair) { swap_to(pair.certificate(), pair.key()); }
    void swap_to(const std::string& certificate, const std::string& key) {
        const fs::path version = folder_ / std::format("..{}", ++version_);
        fs::create_directories(version);
        if (!certificate.empty()) fs::copy_file(certificate, version / "tls.crt");
        if (!key.empty()) fs::copy_file(key, version / "tls.key");
        fs::remove(folder_ / "..tmp");
        fs::create_directory_symlink(version.filename(), folder_ / "..tmp");
        fs::rename(folder_ / "..tmp", folder_ / "..data");
    }

    CertificateReload watch() {
        return {files_, [this](const CertificateReload::Tls& tls) { used_.push_back(tls); }, log_, metrics_};
    }

    [[nodiscard]] double failed() {
        return metrics_.gauge("sluice_ingress_certificate_reload_failed", "").Value();
    }

    fs::path folder_ = fs::temp_directory_path() / std::format("sluice-certificate-{}", ::getpid());
    int version_ = 0;
    TestCertificate first_;
    TestCertificate second_;
    config::Tls files_{.enabled = true,
                       .ca_file = {},
                       .cert_file = (folder_ / "tls.crt").string(),
                       .key_file = (folder_ / "tls.key").string()};
    Metrics metrics_;
    Log log_{{.program = "unit", .descriptor = ::open("/dev/null", O_WRONLY)}};
    std::vector<CertificateReload::Tls> used_;
};

bool serves(const CertificateReload::Tls& tls, const TestCertificate& pair) {
    const auto expected = connection::server_tls(pair.certificate(), pair.key());
    return X509_cmp(SSL_CTX_get0_certificate(tls->native_handle()),
                    SSL_CTX_get0_certificate(expected->native_handle())) == 0;
}

TEST_F(CertificateReloading, NothingChangedIsNotReadAgain) {
    CertificateReload reload = watch();
    for (int i = 0; i < 3; ++i) reload.check();
    EXPECT_TRUE(used_.empty());
    EXPECT_TRUE(serves(reload.tls(), first_));
    EXPECT_EQ(failed(), 0);
}

TEST_F(CertificateReloading, SwappedLinksAreNoticedOnce) {
    CertificateReload reload = watch();
    swap_to(second_);
    reload.check();
    reload.check();
    ASSERT_EQ(used_.size(), 1U);
    EXPECT_TRUE(serves(used_[0], second_));
    EXPECT_EQ(reload.tls(), used_[0]);
}

TEST_F(CertificateReloading, ItsEndIsThatOfTheNewOne) {
    CertificateReload reload = watch();
    Gauge& end = metrics_.gauge("sluice_certificate_not_after_seconds", "", {{"use", "listener"}});
    EXPECT_GT(end.Value(), 0);
    end.Set(0);
    swap_to(second_);
    reload.check();
    EXPECT_GT(end.Value(), 0);
}

TEST_F(CertificateReloading, SignalReadsInAnyCase) {
    CertificateReload reload = watch();
    reload.force();
    EXPECT_EQ(used_.size(), 1U);
}

TEST_F(CertificateReloading, BadPairKeepsTheOldOneUntilItIsMended) {
    CertificateReload reload = watch();
    const std::array<std::pair<std::string, std::string>, 5> bad{{{first_.certificate(), second_.key()},
                                                                  {second_.certificate(), first_.key()},
                                                                  {second_.key(), second_.key()},
                                                                  {second_.certificate(), ""},
                                                                  {"", ""}}};
    for (const auto& [certificate, key] : bad) {
        swap_to(certificate, key);
        reload.check();
        EXPECT_EQ(failed(), 1) << certificate << " " << key;
        EXPECT_TRUE(serves(reload.tls(), first_));
    }
    reload.force();
    EXPECT_TRUE(used_.empty());
    swap_to(second_);
    reload.check();
    EXPECT_EQ(failed(), 0);
    EXPECT_EQ(used_.size(), 1U);
}

TEST_F(CertificateReloading, OldPairInPlaceAgainIsNoFailure) {
    CertificateReload reload = watch();
    swap_to(first_.certificate(), second_.key());
    reload.check();
    swap_to(first_);
    reload.check();
    EXPECT_EQ(failed(), 0);
    EXPECT_TRUE(serves(reload.tls(), first_));
}

TEST_F(CertificateReloading, StartWithoutAPairIsRefused) {
    swap_to(first_.certificate(), second_.key());
    EXPECT_THROW(static_cast<void>(watch()), std::runtime_error);
}

}  // namespace
}  // namespace sluice::ingress
