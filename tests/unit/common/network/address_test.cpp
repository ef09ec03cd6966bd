#include "common/network/address.hpp"

#include <gtest/gtest.h>

namespace sluice::network {
namespace {

Address address(std::string_view text) {
    return Address::parse(text).value();
}
Block block(std::string_view text) {
    return Block::parse(text).value();
}

TEST(Address, ReadsAndWritesBothFamilies) {
    for (const char* text : {"127.0.0.1", "255.255.255.255", "::1", "2001:db8::1"})
        EXPECT_EQ(address(text).text(), text);
}

TEST(Address, MappedFormIsTheV4Address) {
    EXPECT_EQ(address("::ffff:192.0.2.1"), address("192.0.2.1"));
    EXPECT_TRUE(address("::ffff:192.0.2.1").is_v4());
}

TEST(Address, RefusesWhatIsNone) {
    for (const char* text :
         {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "host", "1.2.3.4:80", "[::1]", "::1%eth0", "1.2.3.4 "})
        EXPECT_FALSE(Address::parse(text)) << text;
}

TEST(Address, HouseholdIsTheV4AddressOrTheV6Network) {
    EXPECT_EQ(address("192.0.2.1").client_prefix(), address("192.0.2.1"));
    EXPECT_EQ(address("2001:db8:1:2:3::4").client_prefix(), address("2001:db8:1:2:ffff::1").client_prefix());
    EXPECT_NE(address("2001:db8:1:2::1").client_prefix(), address("2001:db8:1:3::1").client_prefix());
}

TEST(Block, HoldsItsAddressesAndNoOthers) {
    EXPECT_TRUE(block("10.0.0.0/8").contains(address("10.255.0.1")));
    EXPECT_FALSE(block("10.0.0.0/8").contains(address("11.0.0.1")));
    EXPECT_TRUE(block("192.0.2.128/25").contains(address("192.0.2.128")));
    EXPECT_FALSE(block("192.0.2.128/25").contains(address("192.0.2.127")));
    EXPECT_TRUE(block("2001:db8::/33").contains(address("2001:db8:7fff::1")));
    EXPECT_FALSE(block("2001:db8::/33").contains(address("2001:db8:8000::1")));
    EXPECT_TRUE(block("192.0.2.1").contains(address("192.0.2.1")));
    EXPECT_FALSE(block("192.0.2.1").contains(address("192.0.2.2")));
    EXPECT_TRUE(block("0.0.0.0/0").contains(address("203.0.113.9")));
    EXPECT_FALSE(block("0.0.0.0/0").contains(address("2001:db8::1")));
}

TEST(Block, RefusesWhatIsNone) {
    for (const char* text : {"", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/8x", "x/8"})
        EXPECT_FALSE(Block::parse(text)) << text;
}

}  // namespace
}  // namespace sluice::network
