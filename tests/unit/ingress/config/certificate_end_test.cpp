#include "ingress/config/certificate_end.hpp"

#include <gtest/gtest.h>

#include "tests/unit/ingress/support/test_certificate.hpp"

namespace sluice::ingress {
namespace {

constexpr const char* name = "sluice_ingress_certificate_not_after_seconds";

TEST(CertificateEnd, IsExportedOfAFileThatHoldsOne) {
    Metrics metrics;
    const TestCertificate certificate;
    export_certificate_end(certificate.certificate(), metrics);
    constexpr double in_2023 = 1'700'000'000;
    EXPECT_GT(metrics.gauge(name, "").Value(), in_2023);
}

TEST(CertificateEnd, IsNotMadeUpWhereThereIsNone) {
    Metrics metrics;
    const TestCertificate certificate;
    export_certificate_end("/nowhere/tls.crt", metrics);
    export_certificate_end(certificate.key(), metrics);
    EXPECT_FALSE(metrics.exposition().contains(name));
}

}  // namespace
}  // namespace sluice::ingress
