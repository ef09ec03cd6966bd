#include "command/http/certificate_name.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

using Of = CertificateName::Of;

const connection::PeerCertificate ads{.subject = "CN=ads,O=Example",
                                      .dns = {"ads.internal", "ads"},
                                      .uris = {"spiffe://example.org/ads"},
                                      .ends = {}};

TEST(CertificateName, IsComparedByteForByte) {
    EXPECT_TRUE(is_of(ads, {Of::subject, "CN=ads,O=Example"}));
    EXPECT_FALSE(is_of(ads, {Of::subject, "O=Example,CN=ads"}));
    EXPECT_FALSE(is_of(ads, {Of::subject, "CN=ads"})) << "a part of it";
    EXPECT_TRUE(is_of(ads, {Of::dns, "ads"}));
    EXPECT_FALSE(is_of(ads, {Of::dns, "ADS"}));
    EXPECT_FALSE(is_of(ads, {Of::dns, "internal"}));
    EXPECT_TRUE(is_of(ads, {Of::uri, "spiffe://example.org/ads"}));
    EXPECT_FALSE(is_of(ads, {Of::uri, "spiffe://example.org/ads/"}));
    EXPECT_FALSE(is_of(ads, {Of::dns, "spiffe://example.org/ads"})) << "a name of another kind";
}

TEST(CertificateName, OneOfSeveralUrisIsNone) {
    auto two = ads;
    two.uris.emplace_back("spiffe://example.org/shop");
    EXPECT_FALSE(is_of(two, {Of::uri, "spiffe://example.org/ads"}));
}

TEST(CertificateName, WildcardOfACertificateIsItself) {
    auto wild = ads;
    wild.dns = {"*.internal"};
    EXPECT_FALSE(is_of(wild, {Of::dns, "ads.internal"}));
}

}  // namespace
}  // namespace sluice::command
