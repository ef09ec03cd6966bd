#include <gtest/gtest.h>

#include "tests/unit/command/http/scenarios.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

const Answer fine{.kind = Answer::Kind::executed, .response = {.body = "{}"}};

const std::string with_limit =
    "  - {name: ads, principal: ads-team, recipe: standard-webhooks, limit: {rate: 1/h}, "
    "keys: [{id: k1, value: {env: SLUICE_UNIT_CALLER_KEY}}]}\n";

TEST(CommandLimits, SlowCallerGainsNothingByTrickling) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send("POST /v1/commands/charge HTTP/1.1\r\nHost: ");
    std::chrono::milliseconds took{0};
    for (; !client.has_news({}) && took < 1min; took += 500ms) {
        client.send("a");
        running.pass(500ms);
    }
    EXPECT_EQ(status_of(client.answer()), 408);
    EXPECT_LE(took, 7s) << "a byte now and then renewed the deadline";
}

TEST(CommandLimits, IdleConnectionEndsWithoutAWord) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(status_of(client.answer()), 200);
    running.pass(29s);
    EXPECT_FALSE(client.has_news({}));
    running.pass(2s);
    EXPECT_EQ(client.rest(), "");
}

TEST(CommandLimits, ConnectionTooManyIsToldSo) {
    config::ListenSettings listen;
    listen.max_connections = 1;
    RunningCommands running{listen};
    ingress::Client first = running.connect();
    first.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(status_of(first.answer()), 200);
    ingress::Client second = running.connect();
    EXPECT_EQ(status_of(second.answer()), 503);
}

TEST(CommandLimits, LastRequestOfAConnectionSaysSo) {
    config::ListenSettings listen;
    listen.max_requests_per_connection = 2;
    RunningCommands running{listen};
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_FALSE(client.answer().contains("Connection: close"));
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_TRUE(client.answer().contains("Connection: close"));
    EXPECT_EQ(client.rest(), "");
}

TEST(CommandLimits, RequestTooManyAtTheExecutorIsNotExecuted) {
    RunningCommands running{{}, {.max_in_flight = 1}};
    running.executor->hold();
    ingress::Client first = running.connect();
    first.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    ingress::Client second = running.connect();
    second.send(running.post(charge_path, "\"k2\"", charge_body));
    const std::string answer = second.answer();
    EXPECT_EQ(status_of(answer), 503);
    EXPECT_TRUE(answer.contains("urn:sluice:problem:busy") && answer.contains("Retry-After: 1\r\n"))
        << answer;
    running.executor->let_go(fine);
    EXPECT_EQ(status_of(first.answer()), 200);
    second.send(running.post(charge_path, "\"k2\"", charge_body));
    EXPECT_EQ(status_of(second.answer()), 200);
}

TEST(CommandLimits, AccountOverItsLimitIsToldWhenToComeAgain) {
    RunningCommands running;
    const auto ask = [&](const std::string& key) {
        ingress::Client client = running.connect();
        client.send(running.post("/v1/commands/rare", key, charge_body));
        return client.answer();
    };
    EXPECT_EQ(status_of(ask("\"k1\"")), 200);
    running.pass(59min);
    const std::string answer = ask("\"k2\"");
    EXPECT_EQ(status_of(answer), 429);
    EXPECT_TRUE(answer.contains("urn:sluice:problem:limited") && answer.contains("Retry-After: 60\r\n"))
        << answer;
    EXPECT_EQ(running.executor->requests().size(), 1U);
    running.pass(59s + 999ms);
    EXPECT_TRUE(ask("\"k2\"").contains("Retry-After: 1\r\n")) << "whole seconds, never too early";
    running.pass(1ms);
    EXPECT_EQ(status_of(ask("\"k2\"")), 200) << "a refused request takes nothing of the limit";
}

TEST(CommandLimits, CallerOverItsLimitMayStillLookUp) {
    RunningCommands running{{}, {}, with_limit};
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(status_of(client.answer()), 200);
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(status_of(client.answer()), 429) << "of all commands, also one that was executed before";
    client.send(running.get(charge_path + "/k1"));
    EXPECT_EQ(status_of(client.answer()), 200);
}

TEST(CommandLimits, AnswerToACallerThatHasGoneHurtsNobody) {
    RunningCommands running;
    running.executor->hold();
    {
        const ingress::Client gone = running.connect();
        gone.send(running.post(charge_path, "\"k1\"", charge_body));
        running.executor->wait_for(1);
    }
    running.settle();
    running.executor->let_go(fine);
    ingress::Client other = running.connect();
    other.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(status_of(other.answer()), 200);
    for (int i = 0; i < 1000 && running.limits.open() > 1; ++i) running.settle();
    EXPECT_EQ(running.limits.open(), 1);
}

TEST(CommandDrain, RequestInProgressIsAnsweredAndIdleConnectionsEnd) {
    RunningCommands running;
    running.executor->hold();
    ingress::Client busy = running.connect();
    busy.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    ingress::Client idle = running.connect();
    running.settle();
    running.server->stop_accepting();
    EXPECT_EQ(idle.rest(), "");
    EXPECT_THROW((void)running.connect(), std::runtime_error);
    EXPECT_EQ(running.server->open_connections(), 1);
    running.executor->let_go(fine);
    const std::string answer = busy.answer();
    EXPECT_EQ(status_of(answer), 200);
    EXPECT_TRUE(answer.contains("Connection: close")) << answer;
    EXPECT_EQ(busy.rest(), "");
}

TEST(CommandDrain, WhatIsCutEnds) {
    RunningCommands running;
    running.executor->hold();
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    running.server->stop_accepting();
    running.server->cut_connections();
    running.settle();
    EXPECT_EQ(client.rest(), "");
    running.executor->let_go(fine);
    for (int i = 0; i < 1000 && running.limits.open() > 0; ++i) running.settle();
    EXPECT_EQ(running.limits.open(), 0);
}

TEST(CommandDrain, CallersAreCutThoughTheServerStopsAtOnce) {
    for (int round = 0; round < 20; ++round) {
        RunningCommands running;
        running.executor->hold();
        ingress::Client client = running.connect();
        client.send(running.post(charge_path, "\"k1\"", charge_body));
        running.executor->wait_for(1);
        running.server->cut_connections();
        running.server->stop();
        EXPECT_EQ(client.rest(), "");
    }
}

TEST(CommandDrain, ExecutorMayTellAfterTheServerHasStopped) {
    RunningCommands running;
    running.executor->hold();
    const ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    running.server->stop();
    running.executor->let_go(fine);  // nobody is there to hear it, and nothing is lost or leaked
}

TEST(CommandDrain, ExecutorMayGoWithoutAWord) {
    RunningCommands running;
    running.executor->hold();
    const ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    running.server->stop();
    running.executor.reset();
}

}  // namespace
}  // namespace sluice::command
