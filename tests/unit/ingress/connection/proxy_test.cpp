#include "ingress/connection/proxy.hpp"

#include <gtest/gtest.h>

namespace sluice::connection {
namespace {

using namespace std::string_literals;

const std::string signature = "\r\n\r\n\0\r\nQUIT\n"s;
const std::string over_v4 =
    signature + "\x21\x11\x00\x0c"s + "\xc0\x00\x02\x07\x0a\x00\x00\x01\x12\x34\x00\x50"s;
const std::string over_v6 = signature + "\x21\x21\x00\x24"s + "\x20\x01\x0d\xb8"s + std::string(11, '\0') +
                            "\x09" + std::string(16, '\0') + "\x12\x34\x00\x50"s;

TEST(ProxyHeader, NamesTheClient) {
    const auto v4 = read_proxy_header(over_v4);
    ASSERT_TRUE(v4);
    EXPECT_EQ(v4->client->text(), "192.0.2.7");
    EXPECT_EQ(v4->size, over_v4.size());
    EXPECT_EQ(read_proxy_header(over_v6)->client->text(), "2001:db8::9");
}

TEST(ProxyHeader, IncompleteAtEveryByte) {
    for (std::size_t size = 0; size < over_v4.size(); ++size)
        EXPECT_EQ(read_proxy_header(std::string_view{over_v4}.substr(0, size)).error(),
                  ProxyTrouble::incomplete);
}

TEST(ProxyHeader, ExtensionsAreSkippedAndTheRequestIsNot) {
    std::string longer = over_v4 + "\x03\x00\x01X"s;
    longer[15] = '\x10';
    EXPECT_EQ(read_proxy_header(longer + "POST")->size, longer.size());
}

TEST(ProxyHeader, HealthCheckHasNoClient) {
    const auto local = read_proxy_header(signature + "\x20\x00\x00\x00"s);
    ASSERT_TRUE(local);
    EXPECT_FALSE(local->client);
}

TEST(ProxyHeader, AnythingElseIsMalformed) {
    const auto changed = [](std::size_t at, char to) {
        std::string bytes = over_v4;
        bytes[at] = to;
        return read_proxy_header(bytes);
    };
    EXPECT_EQ(read_proxy_header("POST / HTTP/1.1\r\n").error(), ProxyTrouble::malformed);
    EXPECT_EQ(read_proxy_header("PROXY TCP4 192.0.2.7").error(), ProxyTrouble::malformed);
    EXPECT_EQ(changed(12, '\x11').error(), ProxyTrouble::malformed) << "version 1";
    EXPECT_EQ(changed(12, '\x22').error(), ProxyTrouble::malformed) << "unknown command";
    EXPECT_EQ(changed(13, '\x12').error(), ProxyTrouble::malformed) << "datagrams";
    EXPECT_EQ(changed(13, '\x21').error(), ProxyTrouble::malformed) << "too short for IPv6";
    EXPECT_EQ(changed(14, '\x7f').error(), ProxyTrouble::malformed) << "longer than any of ours";
}

const TrustedProxies trusted{{*Block::parse("10.0.0.0/8"), *Block::parse("2001:db8:f::/48")}};

std::string client(std::vector<webhook::HeaderField> fields) {
    const auto address = forwarded_client(fields, trusted);
    return address ? address->text() : "none";
}

TEST(ForwardedClient, IsTheLastThatIsNoProxyOfOurs) {
    EXPECT_EQ(client({{"X-Forwarded-For", "192.0.2.1"}}), "192.0.2.1");
    EXPECT_EQ(client({{"X-Forwarded-For", "203.0.113.5, 192.0.2.1, 10.0.0.3"}}), "192.0.2.1")
        << "the first is hearsay";
    EXPECT_EQ(client({{"X-Forwarded-For", "203.0.113.5"}, {"x-forwarded-for", "192.0.2.1"}}), "192.0.2.1");
    EXPECT_EQ(client({{"X-Forwarded-For", "10.0.0.3"}}), "none");
}

TEST(ForwardedClient, ReadsNothingThatTheProxyPassesOn) {
    EXPECT_EQ(client({{"X-Forwarded-For", "192.0.2.1"}, {"Forwarded", "for=203.0.113.5"}}), "192.0.2.1");
    EXPECT_EQ(client({{"Forwarded", "for=203.0.113.5"}}), "none");
    EXPECT_EQ(client({{"X-Real-IP", "203.0.113.5"}}), "none");
}

TEST(ForwardedClient, IsReadInEachForm) {
    EXPECT_EQ(client({{"X-Forwarded-For", "192.0.2.1:8080"}}), "192.0.2.1");
    EXPECT_EQ(client({{"X-Forwarded-For", "[2001:db8::7]:4711"}}), "2001:db8::7");
    EXPECT_EQ(client({{"X-Forwarded-For", "2001:db8::7"}}), "2001:db8::7");
}

TEST(ForwardedClient, IsNobodyWhereTheLastSaysNothing) {
    EXPECT_EQ(client({}), "none");
    EXPECT_EQ(client({{"X-Forwarded-For", "192.0.2.1, nonsense"}}), "none");
}

}  // namespace
}  // namespace sluice::connection
