#include "ingress/dedup/claim_protocol.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::dedup {
namespace {

using namespace std::chrono_literals;
using Kind = Reply::Kind;

const crypto::Digest ours = crypto::sha256("ours");
const crypto::Digest other = crypto::sha256("other");
const Reply pending{Kind::text, pending_marker("0123456789abcdef")};

Reply text(std::string value) {
    return {Kind::text, std::move(value)};
}

struct Row {
    std::string name;
    Reply reply;
    Claim claim;
    bool distrust = false;
};

std::vector<Row> table() {
    return {
        {"Nil", {Kind::nil, ""}, Claim::fresh},
        {"OurMark", text(durable_marker(crypto::to_hex(ours))), Claim::duplicate},
        {"OtherMark", text(durable_marker(crypto::to_hex(other))), Claim::conflict},
        {"Nothing", {Kind::none, ""}, Claim::unavailable},
        {"OutOfMemory", {Kind::error, "OOM command not allowed"}, Claim::unavailable},
        {"ReadOnly", {Kind::error, "READONLY You can't write"}, Claim::unavailable},
        {"Loading", {Kind::error, "LOADING Redis is loading"}, Claim::unavailable},
        {"WrongType", {Kind::error, "WRONGTYPE Operation"}, Claim::unavailable},
        {"OddType", {Kind::odd, ""}, Claim::unavailable, true},
        {"Empty", text(""), Claim::unavailable, true},
        {"Ok", text("OK"), Claim::unavailable, true},
        {"MarkAlone", text(crypto::to_hex(ours)), Claim::unavailable, true},
        {"NoMark", text("D:"), Claim::unavailable, true},
        {"ShortMark", text("D:00"), Claim::unavailable, true},
        {"LongMark", text(durable_marker(crypto::to_hex(ours)) + "0"), Claim::unavailable, true},
        {"CapitalMark", text("D:" + std::string(64, 'F')), Claim::unavailable, true},
        {"SmallD", text("d:" + crypto::to_hex(ours)), Claim::unavailable, true},
        {"NoToken", text("P:"), Claim::unavailable, true},
        {"OddToken", text("P:a b"), Claim::unavailable, true},
        {"Garbage", text("\x01\xff"), Claim::unavailable, true},
    };
}

class FirstReply : public testing::TestWithParam<Row> {};

TEST_P(FirstReply, DecidesAtOnce) {
    ClaimProtocol protocol{ours};
    const Step step = protocol.claimed(GetParam().reply);
    EXPECT_FALSE(step.look_again_after);
    EXPECT_EQ(step.claim, GetParam().claim);
    EXPECT_EQ(step.distrust_connection, GetParam().distrust);
}

INSTANTIATE_TEST_SUITE_P(Claim, FirstReply, testing::ValuesIn(table()),
                         [](const auto& one) { return one.param.name; });

TEST(ClaimProtocol, LooksAt10And30And70And150MillisecondsAndThenPublishes) {
    ClaimProtocol protocol{ours};
    Step step = protocol.claimed(pending);
    std::chrono::milliseconds at{0};
    for (const std::chrono::milliseconds due : {10ms, 30ms, 70ms, 150ms}) {
        ASSERT_TRUE(step.look_again_after);
        at += *step.look_again_after;
        EXPECT_EQ(at, due);
        step = protocol.looked(pending);
    }
    EXPECT_FALSE(step.look_again_after);
    EXPECT_EQ(step.claim, Claim::busy);
}

TEST(ClaimProtocol, PendingNeverCountsAsDuplicate) {
    ClaimProtocol protocol{ours};
    EXPECT_NE(protocol.claimed(pending).claim, Claim::duplicate);
    for (int look = 0; look < 6; ++look) EXPECT_NE(protocol.looked(pending).claim, Claim::duplicate);
}

TEST(ClaimProtocol, LookDecidesLikeTheClaim) {
    const auto look = [](const Reply& reply) {
        ClaimProtocol protocol{ours};
        static_cast<void>(protocol.claimed(pending));
        return protocol.looked(reply);
    };
    EXPECT_EQ(look(text(durable_marker(crypto::to_hex(ours)))).claim, Claim::duplicate);
    EXPECT_EQ(look(text(durable_marker(crypto::to_hex(other)))).claim, Claim::conflict);
    EXPECT_EQ(look({Kind::none, ""}).claim, Claim::unavailable);
    EXPECT_EQ(look({Kind::error, "LOADING"}).claim, Claim::unavailable);
    EXPECT_TRUE(look({Kind::odd, ""}).distrust_connection);
}

TEST(ClaimProtocol, MarkerThatWentAwayIsNoDuplicate) {
    ClaimProtocol protocol{ours};
    static_cast<void>(protocol.claimed(pending));
    const Step step = protocol.looked({Kind::nil, ""});
    EXPECT_FALSE(step.look_again_after);
    EXPECT_EQ(step.claim, Claim::busy);
}

TEST(Markers, HaveTheirForms) {
    EXPECT_EQ(pending_marker("ab12"), "P:ab12");
    EXPECT_EQ(durable_marker(crypto::to_hex(ours)), "D:" + crypto::to_hex(ours));
}

}  // namespace
}  // namespace sluice::dedup
