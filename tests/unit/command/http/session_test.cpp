#include "command/http/session.hpp"

#include <gtest/gtest.h>

#include "tests/unit/command/http/scenarios.hpp"

namespace sluice::command {
namespace {

const std::string executed =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n"
    "Idempotency-Replayed: false\r\n\r\n{\"ok\":true}";

class Situations : public testing::TestWithParam<Scenario> {};

TEST_P(Situations, IsAnsweredAsItMust) {
    RunningCommands running;
    const std::string answer = answer_in(GetParam(), running);
    EXPECT_EQ(status_of(answer), GetParam().status) << answer;
    const bool is_problem = answer.contains("Content-Type: application/problem+json\r\n");
    EXPECT_EQ(is_problem, !GetParam().problem.empty()) << answer;
    EXPECT_TRUE(answer.contains("\"urn:sluice:problem:" + GetParam().problem) || !is_problem) << answer;
    const bool was_executed = !running.executor->requests().empty();
    const int status = status_of(answer);
    EXPECT_FALSE(was_executed && (status == 401 || status == 411 || status == 413 || status == 415))
        << answer;
}

INSTANTIATE_TEST_SUITE_P(All, Situations, testing::ValuesIn(scenarios()),
                         [](const auto& one) { return "Scenario" + std::to_string(one.index); });

TEST(Session, ExecutorGetsWhatTheCallerAsked) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, R"("a\"b")", charge_body,
                             "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"));
    EXPECT_EQ(client.answer(), executed);
    const auto requests = running.executor->requests();
    ASSERT_EQ(requests.size(), 1U);
    const Request& request = requests.front();
    EXPECT_EQ(request.key, (Key{.command = "charge", .caller = "ads-team", .key = "a\"b"}));
    EXPECT_EQ(request.body, charge_body);
    EXPECT_EQ(request.fingerprint, crypto::sha256(charge_body));
    EXPECT_TRUE(request.traceparent.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-"));
    EXPECT_FALSE(request.traceparent.contains("00f067aa0ba902b7")) << "the request has a span of its own";
    EXPECT_EQ(request.received_at, running.clock.steady());
    EXPECT_EQ(request.answer_by - request.received_at, Milliseconds{200});
}

TEST(Session, TraceOfALaterVersionIsStoredAsOneOfOurs) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body,
                             "traceparent: 01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-" +
                                 std::string(500, 'x') + "\r\n"));
    EXPECT_EQ(client.answer(), executed);
    constexpr std::size_t stored = 55;
    EXPECT_EQ(running.executor->requests().at(0).traceparent.size(), stored);
}

TEST(Session, KeyOfTheBodyIsTheCommands) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post("/v1/commands/click", "", "c1"));
    EXPECT_EQ(client.answer(), executed);
    EXPECT_EQ(running.executor->requests().at(0).key.key, "c1");
}

TEST(Session, ReplaySaysSo) {
    RunningCommands running;
    running.executor->answer_with({.kind = Answer::Kind::replayed, .response = {.body = R"({"ok":true})"}});
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(client.answer(),
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n"
              "Idempotency-Replayed: true\r\n\r\n{\"ok\":true}");
}

TEST(Session, NothingIsToldBeforeTheExecutorTells) {
    RunningCommands running;
    running.executor->hold();
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    running.executor->wait_for(1);
    running.settle();
    EXPECT_FALSE(client.has_news({})) << client.answer();
    running.executor->let_go({.kind = Answer::Kind::executed, .response = {.body = R"({"ok":true})"}});
    EXPECT_EQ(client.answer(), executed);
}

TEST(Session, WhatGoesOnCanBeLookedUpWhereTheLocationSays) {
    RunningCommands running;
    running.executor->answer_with({.kind = Answer::Kind::goes_on});
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "\"a/b c\"", charge_body));
    EXPECT_TRUE(client.answer().contains("\r\nLocation: /v1/commands/charge/a%2Fb%20c\r\n"));
    running.executor->find(Standing{.state = Standing::State::in_progress, .since = running.clock.wall()});
    client.send(running.get("/v1/commands/charge/a%2Fb%20c"));
    EXPECT_TRUE(client.answer().contains(R"("state":"in_progress","since":"2026-)"));
    EXPECT_EQ(running.executor->looked_up().at(0), running.executor->requests().at(0).key);
}

TEST(Session, PipelinedRequestsAreAnsweredInTheirOrder) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post("/v1/commands/click", "", "first") + running.get("/v1/commands/click/first") +
                running.post("/v1/commands/click", "", "second"));
    EXPECT_EQ(client.answer(), executed);
    EXPECT_TRUE(client.answer().contains(R"({"state":"absent"})"));
    EXPECT_EQ(client.answer(), executed);
    const auto requests = running.executor->requests();
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].body, "first");
    EXPECT_EQ(requests[1].body, "second");
}

TEST(Session, RefusedRequestLeavesTheConnectionToTheNext) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send(running.post(charge_path, "", charge_body));
    EXPECT_EQ(status_of(client.answer()), 400);
    client.send(running.post(charge_path, "\"k1\"", charge_body));
    EXPECT_EQ(client.answer(), executed);
}

TEST(Session, ConnectionEndsWithAWrongSignature) {
    RunningCommands running;
    ingress::Client client = running.connect();
    client.send("GET /v1/commands/charge/k1 HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string answer = client.answer();
    EXPECT_EQ(status_of(answer), 401);
    EXPECT_TRUE(answer.contains("WWW-Authenticate: StandardWebhooks\r\n")) << answer;
    EXPECT_TRUE(answer.contains("Connection: close\r\n"));
    EXPECT_EQ(client.rest(), "");
}

TEST(Session, UnknownCallerAndWrongSignatureAreToldTheSame) {
    RunningCommands running;
    const std::string right = running.post(charge_path, "\"k1\"", charge_body);
    const auto told = [&](const std::string& from, const std::string& to) {
        std::string bytes = right;
        ingress::Client client = running.connect();
        client.send(bytes.replace(bytes.find(from), from.size(), to));
        return client.answer();
    };
    EXPECT_EQ(told("Sluice-Caller: ads", "Sluice-Caller: who"), told(":5", ":6"));
}

TEST(Session, NoAnswerRepeatsTheRequest) {
    for (const Scenario& scenario : scenarios()) {
        if (scenario.problem.empty()) continue;
        RunningCommands running;
        ingress::Client client = running.connect();
        std::string bytes = scenario.request(running);
        if (const std::size_t at = bytes.find("amount"); at != std::string::npos)
            bytes.replace(at, 6, "canary");
        client.send(bytes);
        client.wait_for_receipt();
        running.pass(scenario.late);
        EXPECT_FALSE(client.answer().contains("canary")) << scenario.name;
    }
}

TEST(Session, MethodIsThePaths) {
    RunningCommands running;
    const auto told = [&](const std::string& line) {
        ingress::Client client = running.connect();
        client.send(line + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
        return client.answer();
    };
    for (const auto* method : {"GET", "PUT", "HEAD", "DELETE"}) {
        const std::string answer = told(std::string{method} + " /v1/commands/charge");
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 405 ") && answer.contains("\r\nAllow: POST\r\n")) << answer;
    }
    const std::string answer = told("POST /v1/commands/charge/k1");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 405 ") && answer.contains("\r\nAllow: GET\r\n")) << answer;
}

TEST(Session, CallerThatExpectsAWordBeforeItsBodyGetsIt) {
    RunningCommands running;
    const std::string bytes = running.post(charge_path, "\"k1\"", charge_body, "Expect: 100-continue\r\n");
    const std::size_t head = bytes.find("\r\n\r\n") + 4;
    ingress::Client client = running.connect();
    client.send(std::string_view{bytes}.substr(0, head));
    EXPECT_EQ(client.answer(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send(std::string_view{bytes}.substr(head));
    EXPECT_EQ(client.answer(), executed);
}

TEST(Session, LongBodyArrivesWhole) {
    RunningCommands running;
    const std::string text = '"' + std::string(64 * 1024 - 2, 'x') + '"';
    ingress::Client client = running.connect();
    client.send(running.post("/v1/commands/charge", "\"k1\"", text));
    EXPECT_EQ(client.answer(), executed);
    EXPECT_EQ(running.executor->requests().at(0).body, text);
}

}  // namespace
}  // namespace sluice::command
