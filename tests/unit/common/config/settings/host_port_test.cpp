#include "common/config/settings/host_port.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

std::string parts(std::string_view text, std::optional<std::uint16_t> fallback = std::nullopt) {
    const auto address = host_port_from_text(text, fallback);
    return address ? address->host + " " + std::to_string(address->port) : "none";
}

TEST(HostPort, SplitsHostAndPort) {
    EXPECT_EQ(parts("kafka:9092"), "kafka 9092");
    EXPECT_EQ(parts("my_kafka-0.kafka.svc:1"), "my_kafka-0.kafka.svc 1");
    EXPECT_EQ(parts("10.0.0.1:65535"), "10.0.0.1 65535");
    EXPECT_EQ(parts("[::1]:0"), "::1 0");
}

TEST(HostPort, PortMayHaveADefault) {
    EXPECT_EQ(parts("kafka"), "none");
    EXPECT_EQ(parts("kafka", 9092), "kafka 9092");
    EXPECT_EQ(parts("[::1]", 9092), "::1 9092");
    EXPECT_EQ(parts("kafka:1", 9092), "kafka 1");
}

TEST(HostPort, RefusesEverythingElse) {
    for (const auto* const text :
         {"", ":9092", "kafka:", "kafka:x", "kafka:65536", "kafka:-1", "kafka:09", "a b:1", "a,b:1",
          "::1:9092", "[::1:9092", "[kafka]:1", "[::1]9092", "[]:1", "http://a:1", "a:1/x", "user@a:1"}) {
        EXPECT_EQ(parts(text, 1), "none") << text;
    }
    EXPECT_EQ(parts(std::string(254, 'a') + ":1"), "none");
}

TEST(Address, IsNumeric) {
    EXPECT_TRUE(is_address("127.0.0.1"));
    EXPECT_TRUE(is_address("::"));
    EXPECT_FALSE(is_address("localhost"));
    EXPECT_FALSE(is_address("127.1"));
    EXPECT_FALSE(is_address(std::string_view{"127.0.0.1\0x", 11}));
    EXPECT_FALSE(is_address(""));
}

TEST(AddressBlock, IsAnAddressOrANetworkWithoutHostBits) {
    for (const auto* const text :
         {"10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "10.0.0.1/32", "fd00::/8", "::1/128", "10.128.0.0/9"}) {
        EXPECT_TRUE(is_address_block(text)) << text;
    }
    for (const auto* const text : {"10.0.0.1/8", "10.64.0.0/9", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1",
                                   "10/8", "fd00::1/8", "::/129", "lb", ""}) {
        EXPECT_FALSE(is_address_block(text)) << text;
    }
}

TEST(ListeningAddress, IsNumericAndNamesTheKeyWhenItIsNot) {
    Reading reading{"operations: {a: \"[::]:0\", b: \"localhost:80\"}\n"};
    {
        auto section = reading.section("operations");
        const auto address = read_listening_address(section, "a", "0.0.0.0:9090");
        EXPECT_EQ(address.host, "::");
        EXPECT_EQ(address.port, 0);
        EXPECT_EQ(read_listening_address(section, "b", "0.0.0.0:9090").port, 9090);
    }
    EXPECT_TRUE(reading.report().starts_with("test.yaml:1: operations.b must be ADDRESS:PORT"))
        << reading.report();
    EXPECT_EQ(reading.problems().errors().size(), 1U);
}

}  // namespace
}  // namespace sluice::config
