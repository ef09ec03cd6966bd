#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "common/webhook/recipe/certificate_rule.hpp"

namespace sluice::ctl {

/// A certificate of the vectors, in PEM: paypal_leaf, paypal_intermediate, paypal_root and their wrong kin.
inline std::string pem(const std::string& name) {
    std::ifstream file{std::string{SLUICE_VECTORS} + "/generate/keys/" + name + ".pem"};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// A folder of certificates and what a source says of them, at a time when those of the vectors are valid.
class CertificateTest : public testing::Test {
protected:
    static constexpr std::int64_t now_unix = 1'795'258'000;  // 2026-11-21
    static inline const std::string address = "https://api.paypal.com/v1/certs/CERT-1";

    CertificateTest() { std::filesystem::create_directories(folder_); }
    ~CertificateTest() override { std::filesystem::remove_all(folder_); }

    void file(const std::string& name, const std::string& text) const {
        std::ofstream{folder_ / name} << text;
    }
    void hold(const std::string& at, const std::string& text) const {
        file(webhook::CertificateFolder::name_for(at), text);
    }
    [[nodiscard]] webhook::CertificateTrust trust() {
        unreadable_.clear();
        return {.rule = {.from = {.names = {"PAYPAL-CERT-URL"}},
                         .hosts_setting = "cert_hosts",
                         .cache_setting = "cert_cache",
                         .trust_setting = "trust",
                         .name_setting = "subject_suffix"},
                .slot = 1,
                .hosts = {"api.paypal.com", "api.sandbox.paypal.com"},
                .cache = webhook::CertificateFolder::read(folder_, unreadable_).value(),
                .store = {crypto::Certificates::from_pem(pem("paypal_root")).value(),
                          crypto::TrustStore::Sha1::refused},
                .name = ".paypal.com"};
    }
    static WallTime now() { return WallTime{std::chrono::seconds{now_unix}}; }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("certificates" + std::to_string(::getpid()));
    std::vector<std::string> unreadable_;
};

}  // namespace sluice::ctl
