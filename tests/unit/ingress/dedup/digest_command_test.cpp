#include "ingress/dedup/digest_command.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {
namespace {

const crypto::Digest one = crypto::sha256("one");
const crypto::Digest two = crypto::sha256("two");

TEST(DigestCommand, IsAnArrayOfBulkStrings) {
    DigestCommand command{"PING"};
    EXPECT_EQ(command.with({}), "*1\r\n$4\r\nPING\r\n");
}

TEST(DigestCommand, PutsDigestsWhereTheyBelong) {
    DigestCommand command{"SET", std::string{"k:"} + std::string{DigestCommand::digest_here},
                          DigestCommand::digest_here};
    EXPECT_EQ(command.with({one, two}), "*3\r\n$3\r\nSET\r\n$66\r\nk:" + crypto::to_hex(one) + "\r\n$64\r\n" +
                                            crypto::to_hex(two) + "\r\n");
}

TEST(DigestCommand, KeepsNothingOfTheEventBefore) {
    DigestCommand command{"GET", DigestCommand::digest_here};
    const std::string first{command.with({one})};
    const std::string second{command.with({two})};
    EXPECT_EQ(second, "*2\r\n$3\r\nGET\r\n$64\r\n" + crypto::to_hex(two) + "\r\n");
    EXPECT_EQ(command.with({one}), first);
}

}  // namespace
}  // namespace sluice::dedup
