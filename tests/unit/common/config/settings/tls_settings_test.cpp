#include "common/config/settings/tls_settings.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

struct Read {
    Tls tls;
    std::string report;
};

Read read(const std::string& tls, TlsSide side) {
    const Reading reading{"mysql: {tls: " + tls + "}\n"};
    auto mysql = reading.section("mysql");
    auto settings = read_tls(mysql, "tls", side);
    return {std::move(settings), reading.report()};
}

class TlsFiles : public testing::Test {
protected:
    [[nodiscard]] static std::string entry(const std::string& key, const TestFile& file) {
        return key + ": {file: " + file.path() + "}";
    }
    TestFile ca_{"ca.pem", "x"};
    TestFile cert_{"cert.pem", "x"};
    TestFile key_{"key.pem", "x"};
};

TEST_F(TlsFiles, NothingMeansOff) {
    for (const auto side : {TlsSide::client, TlsSide::server}) {
        for (const auto* const text : {"{}", "", "{enabled: false}"}) {
            const auto [tls, report] = read(text, side);
            EXPECT_FALSE(tls.enabled);
            EXPECT_EQ(report, "");
        }
    }
}

TEST_F(TlsFiles, AnyKeySwitchesItOn) {
    const auto ca = read("{" + entry("ca", ca_) + "}", TlsSide::client);
    EXPECT_TRUE(ca.tls.enabled);
    EXPECT_EQ(ca.tls.ca_file, ca_.path());
    EXPECT_EQ(ca.report, "");
    const auto system = read("{enabled: true}", TlsSide::client);
    EXPECT_TRUE(system.tls.enabled);
    EXPECT_EQ(system.tls.ca_file, "");
    EXPECT_EQ(system.report, "");
}

TEST_F(TlsFiles, CertificateNeedsItsKey) {
    const auto pair = read("{" + entry("cert", cert_) + ", " + entry("key", key_) + "}", TlsSide::client);
    EXPECT_EQ(pair.tls.cert_file, cert_.path());
    EXPECT_EQ(pair.tls.key_file, key_.path());
    EXPECT_EQ(pair.report, "");
    for (const auto& half : {entry("cert", cert_), entry("key", key_)}) {
        EXPECT_EQ(read("{" + half + "}", TlsSide::client).report,
                  "test.yaml:1: mysql.tls must have both cert and key, or neither");
    }
}

TEST_F(TlsFiles, ServerNeedsCertificateAndKeyAndHasNoCa) {
    EXPECT_EQ(read("{enabled: true}", TlsSide::server).report,
              "test.yaml:1: mysql.tls must have cert and key: a server needs a certificate");
    const auto pair = "{" + entry("cert", cert_) + ", " + entry("key", key_);
    EXPECT_EQ(read(pair + "}", TlsSide::server).report, "");
    EXPECT_NE(read(pair + ", " + entry("ca", ca_) + "}", TlsSide::server).report, "");
}

TEST_F(TlsFiles, FileMustBeReadable) {
    EXPECT_EQ(
        read("{ca: {file: /nonexistent/ca.pem}}", TlsSide::client).report,
        "test.yaml:1: mysql.tls.ca: file /nonexistent/ca.pem cannot be read: No such file or directory");
}

TEST_F(TlsFiles, OnlyFilesWillDo) {
    EXPECT_EQ(read("{ca: {env: CA}}", TlsSide::client).report,
              "test.yaml:1: mysql.tls.ca must be {file: PATH}: the TLS library reads it from a file");
    EXPECT_NE(read("{ca: /etc/ca.pem}", TlsSide::client).report, "");
}

}  // namespace
}  // namespace sluice::config
