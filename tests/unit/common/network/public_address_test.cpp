#include "common/network/public_address.hpp"

#include <gtest/gtest.h>

namespace sluice::network {
namespace {

TEST(PublicAddress, IsNoneOfThisMachineOrItsNetworks) {
    for (const char* text :
         {"127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1",
          "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00:ec2::254", "ff02::1",
          "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::"}) {
        EXPECT_FALSE(is_public(Address::parse(text).value())) << text;
    }
}

TEST(PublicAddress, IsAnyOther) {
    for (const char* text : {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8",
                             "64:ff9b::808:808", "2002:808:808::"}) {
        EXPECT_TRUE(is_public(Address::parse(text).value())) << text;
    }
}

}  // namespace
}  // namespace sluice::network
