#include "ctl/send/traffic/endpoint.hpp"

#include <gtest/gtest.h>

#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

TEST(Endpoint, ABaseGetsTheSourcesPath) {
    const Endpoint endpoint = endpoint_from_url("http://127.0.0.1:8080/", "/v1/webhooks/s");
    EXPECT_EQ(endpoint.origin, "http://127.0.0.1:8080");
    EXPECT_EQ(endpoint.host, "127.0.0.1");
    EXPECT_EQ(endpoint.path, "/v1/webhooks/s");
    EXPECT_EQ(endpoint_from_url("http://[::1]:80", "/s").host, "::1");
    EXPECT_EQ(endpoint_from_url("https://localhost", "/s").path, "/s");
}

TEST(Endpoint, AWholeUrlKeepsItsPath) {
    EXPECT_EQ(endpoint_from_url("http://localhost:1/a/b?c=d", "/s").path, "/a/b?c=d");
}

TEST(Endpoint, RefusesWhatIsNoPlainUrl) {
    EXPECT_THROW(static_cast<void>(endpoint_from_url("localhost:8080", "/s")), Stopped);
    EXPECT_THROW(static_cast<void>(endpoint_from_url("ftp://localhost", "/s")), Stopped);
    EXPECT_THROW(static_cast<void>(endpoint_from_url("http:///x", "/s")), Stopped);
    EXPECT_THROW(static_cast<void>(endpoint_from_url("http://localhost@example.com/", "/s")), Stopped);
}

TEST(Endpoint, LoopbackIsWhatSaysSo) {
    for (const auto* host : {"localhost", "::1", "127.0.0.1", "127.255.1.9"})
        EXPECT_TRUE(is_loopback(host)) << host;
    for (const auto* host : {"127.0.0.1.example.com", "127.0.0.256", "127.1", "10.0.0.1",
                             "localhost.example.com", "", "127.0.0.1a", "[::1]", "0.0.0.0"}) {
        EXPECT_FALSE(is_loopback(host)) << host;
    }
}

TEST(Endpoint, AnAddressThatMeansAllMeansLoopbackHere) {
    config::ListenSettings listen;
    listen.address = {.host = "0.0.0.0", .port = 8080};
    EXPECT_EQ(url_of(listen), "http://127.0.0.1:8080");
    listen.address = {.host = "10.1.2.3", .port = 1};
    EXPECT_EQ(url_of(listen), "http://10.1.2.3:1");
    listen.address = {.host = "::1", .port = 1};
    listen.tls.enabled = true;
    EXPECT_EQ(url_of(listen), "https://[::1]:1");
}

}  // namespace sluice::ctl
