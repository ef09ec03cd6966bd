#include <gtest/gtest.h>

#include "ingress/request/session.hpp"
#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

using dedup::Claim;

const std::string by_id =
    "limits: {source: {rate: 10/s, burst: 20}, account: {by: [/data/object/id, /data/object/amount], rate: "
    "2/m, burst: "
    "3}}";

TEST(SharedLimits, RequestCountsUnderItsAccountAndItsSource) {
    RunningServer running{by_id};
    Client client = running.connect();
    for (const auto* id : {"evt_1", "evt_2"}) {
        client.send(running.signed_request(event_body(id)));
        EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
    }
    const auto counted = running.redis->counted();
    ASSERT_EQ(counted.size(), 2U);
    ASSERT_EQ(counted[0].limits.size(), 2U);
    EXPECT_EQ(counted[0].limits[0].rate.burst, 3);
    EXPECT_EQ(counted[0].limits[1].rate.burst, 20);
    EXPECT_EQ(counted[0].limits[0].who, counted[1].limits[0].who) << "both events are of one account";
    EXPECT_NE(counted[0].limits[0].who, counted[0].limits[1].who);
    EXPECT_EQ(counted[0].home, counted[1].home);
}

TEST(SharedLimits, EventWithoutTheFieldIsOfNoAccount) {
    for (const auto* field : {"/nowhere", "/data", "/livemode"}) {
        RunningServer running{std::string{"limits: {account: {by: ["} + field + "], rate: 2/m}}"};
        Client client = running.connect();
        client.send(running.signed_request(event_body()));
        EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
        EXPECT_TRUE(running.redis->counted().empty()) << field;
    }
}

TEST(SharedLimits, WhatIsOverIsToldToWaitAndLeavesNothingBehind) {
    RunningServer running{by_id};
    running.redis->count_as_over(0);
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(),
              "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nRetry-After: 30\r\n\r\n");
    EXPECT_TRUE(running.kafka->kept().empty());
    EXPECT_EQ(running.redis->confirmed(), 0);
    EXPECT_EQ(running.redis->released(), 1) << "the next delivery would wait for this one";
    EXPECT_EQ(running.decisions("limited"), 1);
}

TEST(SharedLimits, DuplicateIsAnsweredWhateverItsLimit) {
    RunningServer running{by_id};
    running.redis->count_as_over(0);
    running.redis->answer_with(Claim::duplicate);
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(running.redis->released(), 0);
    EXPECT_EQ(running.redis->taken_back(), 0) << "it was counted under nothing";
}

TEST(SharedLimits, DuplicateTakesNothing) {
    RunningServer running{by_id};
    running.redis->answer_with(Claim::duplicate);
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(running.redis->taken_back(), 1) << "whoever has a delivery could use up the limit";
}

TEST(SharedLimits, ClaimOfAnotherIsNotReleased) {
    RunningServer running{by_id};
    running.redis->count_as_over(1);
    running.redis->answer_with(Claim::busy);
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 429 "));
    EXPECT_EQ(running.redis->released(), 0);
}

TEST(SharedLimits, ForgedRequestsCountUnderNothing) {
    RunningServer running{by_id};
    Client client = running.connect();
    client.send(
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=00\r\nContent-Length: "
        "2\r\n\r\n{}");
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 400 "));
    EXPECT_TRUE(running.redis->counted().empty());
}

TEST(SharedLimits, WithoutThemNothingIsCounted) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
    EXPECT_TRUE(running.redis->counted().empty());
}

}  // namespace
}  // namespace sluice::ingress
