#include "ingress/request/session.hpp"

#include <gtest/gtest.h>

#include "common/config/section.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/webhook/gate/admission.hpp"
#include "tests/unit/ingress/gate/corpus.hpp"
#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

using dedup::Claim;
using publish::Published;

std::string success_as(const std::string& decision) {
    return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: " + decision + "\r\n\r\n";
}
const std::string success = success_as("accepted");

TEST(Session, PublishesTheBodyByteForByteAndThenAnswers) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), success);
    const auto kept = running.kafka->kept();
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept[0].topic, publish::Topic::events);
    EXPECT_EQ(kept[0].key, "stripe/acct_main/pi_1");
    EXPECT_EQ(kept[0].value, event_body());
    EXPECT_EQ(kept[0].header("ce_id"), "evt_1");
    EXPECT_EQ(kept[0].header("sluice-key"), "k1");
    EXPECT_EQ(kept[0].header("sluice-received-at"), "2026-09-21T14:13:20.000000Z");
    EXPECT_TRUE(kept[0].header("http-stripe-signature").starts_with("t=1790000000,v1="));
    EXPECT_EQ(running.redis->confirmed(), 1);
    EXPECT_EQ(running.decisions("accepted"), 1);
}

TEST(Session, PublishesSpacesEscapesAndDigitsAsTheyCame) {
    RunningServer running;
    std::string body = " " + event_body() + "\r\n";
    body.insert(body.find("\"amount\""), "\n\t\"rate\" : 1.50e+0, \"name\": \"caf\\u00e9 \\/ x\",");
    Client client = running.connect();
    client.send(running.signed_request(body));
    EXPECT_EQ(client.answer(), success);
    EXPECT_EQ(running.kafka->kept().at(0).value, body);
}

webhook::SourceSet braintree() {
    ::setenv("SLUICE_UNIT_TEST_PRIVATE", "integration_private_key", 1);
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: b, principal: b, recipe: braintree, keys: [{id: integration_public_key, "
        "value: {env: SLUICE_UNIT_TEST_PRIVATE}}]}]",
        "test.yaml", problems);
    return webhook::read_sources(document, problems);
}

TEST(Session, AnswersAChallengeAndNoOtherGet) {
    const std::string challenge = "20f9f8ed05f77439fe955c977e4c8a53";
    const auto asking = [](const std::string& target) {
        return "GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n";
    };
    RunningServer running;
    Client stripe = running.connect();
    stripe.send(asking("/v1/webhooks/stripe-eu?bt_challenge=" + challenge));
    EXPECT_TRUE(stripe.answer().starts_with("HTTP/1.1 405 ")) << "another recipe";
    running.server->use_routes(std::make_shared<const Routes>(braintree(), running.metrics));
    Client client = running.connect();
    client.send(asking("/v1/webhooks/b?bt_challenge=" + challenge));
    EXPECT_EQ(client.answer(),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 63\r\nConnection: close\r\n\r\n"
              "integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4");
    for (const std::string target : {"/v1/webhooks/b", "/v1/webhooks/b?bt_challenge=x"}) {
        Client other = running.connect();
        other.send(asking(target));
        EXPECT_TRUE(other.answer().starts_with("HTTP/1.1 405 ")) << target;
    }
    EXPECT_TRUE(running.kafka->kept().empty());
    EXPECT_EQ(running.gate_refusals("method_not_allowed"), 3);
}

TEST(Session, DuplicateIsAnsweredWithoutPublishing) {
    RunningServer running;
    running.redis->answer_with(Claim::duplicate);
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), success_as("duplicate"));
    EXPECT_TRUE(running.kafka->kept().empty());
    EXPECT_EQ(running.decisions("duplicate"), 1);
}

TEST(Session, EveryOtherClaimIsPublished) {
    for (const Claim claim : {Claim::fresh, Claim::conflict, Claim::busy, Claim::unavailable}) {
        RunningServer running;
        running.redis->answer_with(claim);
        Client client = running.connect();
        client.send(running.signed_request(event_body()));
        EXPECT_EQ(client.answer(), success) << name_of(claim);
        EXPECT_EQ(running.kafka->kept().size(), 1U) << name_of(claim);
    }
}

TEST(Session, WithoutAnAcknowledgementThereIsNoSuccessAndNoDurableMarker) {
    for (const Published outcome : {Published::not_acked, Published::shed, Published::unavailable}) {
        RunningServer running;
        running.kafka->answer_with(outcome);
        Client client = running.connect();
        client.send(running.signed_request(event_body()));
        const std::string answer = client.answer();
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 503 ") && answer.contains("Retry-After: ")) << answer;
        EXPECT_EQ(running.redis->confirmed(), 0);
        client.send(running.signed_request(event_body()));
        EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 503 ")) << "the connection stays";
    }
}

TEST(Session, ForgeryTouchesNeitherRedisNorKafka) {
    RunningServer running;
    Client client = running.connect();
    std::string forged = running.signed_request(event_body());
    forged[forged.find("v1=") + 3] ^= 1;
    client.send(forged);
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 400 "));
    EXPECT_EQ(running.redis->claims(), 0);
    EXPECT_TRUE(running.kafka->kept().empty());
    EXPECT_EQ(running.decisions("refused_signature"), 1);
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), success) << "the connection stays";
}

TEST(Session, AuthenticButUnreadableGoesToQuarantineAndIsAnsweredWithSuccess) {
    RunningServer running;
    for (const std::string body : {"", "hello", "{\"id\": 1}"}) {
        Client client = running.connect();
        client.send(running.signed_request(body));
        EXPECT_EQ(client.answer(), success_as("quarantined")) << body;
        const auto kept = running.kafka->kept().back();
        EXPECT_EQ(kept.topic, publish::Topic::quarantine);
        EXPECT_EQ(kept.key, crypto::to_hex(crypto::sha256(body)));
        EXPECT_EQ(kept.value, body);
        EXPECT_FALSE(kept.header("sluice-quarantine-reason").empty());
    }
    EXPECT_EQ(running.redis->claims(), 0);
    EXPECT_EQ(running.decisions("quarantined"), 3);
}

TEST(Session, UnreadableWithoutAnAcknowledgementIsNoSuccess) {
    RunningServer running;
    running.kafka->answer_with(Published::not_acked);
    Client client = running.connect();
    client.send(running.signed_request("hello"));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 503 "));
}

TEST(Session, RequestIsReadWhereverItsBytesAreSplit) {
    RunningServer running;
    const std::string bytes = running.signed_request(event_body());
    Client client = running.connect();
    int sent = 0;
    for (std::size_t split = 1; split < bytes.size(); split += 7) {
        client.send(std::string_view{bytes}.substr(0, split));
        client.send(std::string_view{bytes}.substr(split));
        ASSERT_EQ(client.answer(), success) << split;
        ++sent;
    }
    EXPECT_EQ(running.decisions("accepted"), sent);
}

TEST(Session, RequestInSingleBytesIsReadAllTheSame) {
    RunningServer running;
    Client client = running.connect();
    for (const char c : running.signed_request(event_body())) client.send({&c, 1});
    EXPECT_EQ(client.answer(), success);
}

TEST(Session, BodiesOfAllSizesArriveWhole) {
    RunningServer running{"max_body: 1MiB"};
    Client client = running.connect();
    for (const std::size_t padding :
         {0UL, 10'000UL, 15'000UL, 19'000UL, 20'000UL, 21'000UL, 200'000UL, 1'000'000UL}) {
        std::string body = event_body();
        body.insert(body.size() - 1, ",\"pad\":\"" + std::string(padding, 'x') + "\"");
        client.send(running.signed_request(body));
        ASSERT_EQ(client.answer(), success) << padding;
        ASSERT_EQ(running.kafka->kept().back().value, body) << padding;
    }
}

TEST(Session, PipelinedRequestsAreAnsweredInOrder) {
    RunningServer running;
    std::string bytes;
    for (int i = 0; i < 50; ++i) bytes += running.signed_request(event_body("evt_" + std::to_string(i)));
    Client client = running.connect();
    client.send(bytes);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(client.answer(), success) << i;
    const auto kept = running.kafka->kept();
    ASSERT_EQ(kept.size(), 50U);
    for (std::size_t i = 0; i < kept.size(); ++i)
        EXPECT_EQ(kept[i].header("ce_id"), "evt_" + std::to_string(i));
}

TEST(Session, ChunkedEventIsAcceptedWhereTheSourceAllowsIt) {
    RunningServer running{"chunked: true"};
    const std::string body = event_body();
    std::string bytes = running.signed_request(body);
    const std::string length = std::format("Content-Length: {}\r\n", body.size());
    bytes.replace(bytes.find(length), length.size(), "Transfer-Encoding: chunked\r\n");
    bytes.resize(bytes.size() - body.size());
    bytes += std::format("{:x}\r\n{}\r\n{:X}\r\n{}\r\n0\r\n\r\n", 20, body.substr(0, 20), body.size() - 20,
                         body.substr(20));
    Client client = running.connect();
    client.send(bytes + bytes);
    EXPECT_EQ(client.answer(), success);
    EXPECT_EQ(client.answer(), success) << "the bytes behind the last chunk are the next request";
    EXPECT_EQ(running.kafka->kept().at(0).value, body);
}

TEST(Session, ChunksOfOneByteEndAtTheWireLimit) {
    RunningServer running{"chunked: true, max_body: 32KiB"};
    const std::string head =
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    std::string chunks;
    while (chunks.size() <= gate::max_wire_bytes(*running.sources.front())) chunks += "1\r\nx\r\n";
    Client client = running.connect();
    client.send(head + chunks);
    EXPECT_EQ(client.answer(), gate::response_of(gate::Refusal::wire_too_long));
}

TEST(Session, ExpectationIsMetAfterTheGateAndBeforeTheBody) {
    RunningServer running;
    Client client = running.connect();
    const std::string bytes = running.signed_request(event_body(), "Expect: 100-continue\r\n");
    const std::size_t head = bytes.find("\r\n\r\n") + 4;
    client.send(std::string_view{bytes}.substr(0, head));
    EXPECT_EQ(client.answer(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send(std::string_view{bytes}.substr(head));
    EXPECT_EQ(client.answer(), success);
}

TEST(Session, TooLargeABodyIsRefusedByItsDeclaredLength) {
    RunningServer running{"max_body: 2KiB"};
    Client client = running.connect();
    client.send(
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: 2049\r\nExpect: "
        "100-continue\r\n\r\n");
    EXPECT_EQ(client.answer(),
              "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client.rest(), "");
    EXPECT_EQ(running.decisions("too_large"), 1);
}

TEST(Session, WhoSendsATooLargeBodyWholeReadsTheRefusal) {
    RunningServer running;
    Client client = running.connect();
    const std::string body(512 * 1024 + 1, 'x');  // as a proxy does that has gathered it
    client.send("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 413 "));
    EXPECT_EQ(client.rest(), "");
}

TEST(Session, AskedToCloseItCloses) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body(), "Connection: close\r\n"));
    EXPECT_EQ(
        client.answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client.rest(), "");
}

TEST(Session, EveryAnswerHasTheDateOfItsSecond) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), success);
    EXPECT_EQ(client.date(), "Mon, 21 Sep 2026 14:13:20 GMT");
    running.clock.advance(std::chrono::milliseconds{999});
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), success);
    EXPECT_EQ(client.date(), "Mon, 21 Sep 2026 14:13:20 GMT");
    running.clock.advance(std::chrono::milliseconds{1});
    client.send(running.signed_request(event_body()) + "BREW / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client.answer(), success);
    EXPECT_EQ(client.date(), "Mon, 21 Sep 2026 14:13:21 GMT");
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 400 "));
    EXPECT_EQ(client.date(), "Mon, 21 Sep 2026 14:13:21 GMT") << "refusals too";
}

TEST(Session, Http10IsAnsweredAndItsConnectionEnds) {
    RunningServer running;
    std::string old =
        running.signed_request(event_body(), "Connection: keep-alive\r\nExpect: 100-continue\r\n");
    old.replace(old.find("HTTP/1.1"), 8, "HTTP/1.0");
    Client client = running.connect();
    client.send(old + running.signed_request(event_body("evt_2")));
    EXPECT_EQ(
        client.answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client.rest(), "") << "what is behind it is no request";
    EXPECT_EQ(running.kafka->kept().size(), 1U);
}

TEST(Session, BytesAboveAsciiThatNobodyReadsCostNoEvent) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body(), "CF-IPCity: S\xc3\xa3o Paulo\r\n"));
    EXPECT_EQ(client.answer(), success);
    const auto kept = running.kafka->kept();
    for (const auto& [name, value] : kept.at(0).headers) EXPECT_FALSE(value.contains("Paulo")) << name;
}

TEST(Session, TraceGoesOn) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(
        event_body(),
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\ntracestate: a=b\r\n"));
    EXPECT_EQ(client.answer(), success);
    const auto kept = running.kafka->kept().at(0);
    EXPECT_TRUE(kept.header("traceparent").starts_with("00-0af7651916cd43dd8448eb211c80319c-"));
    EXPECT_EQ(kept.header("tracestate"), "a=b");
}

// The gate over a socket: each row of the corpus gets its bytes and nothing else.

class RefusedOverSocket : public testing::TestWithParam<gate::Case> {};

TEST_P(RefusedOverSocket, GetsOneAnswerAndNothingElseHappens) {
    static RunningServer running;
    const std::string reason{gate::row_of(GetParam().refusal).name};
    const bool by_source = GetParam().refusal == gate::Refusal::body_too_large;
    const double before = running.gate_refusals(reason);
    Client client = running.connect();
    client.send(GetParam().bytes + running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), gate::response_of(GetParam().refusal));
    EXPECT_EQ(client.rest(), "") << "the bytes behind a refused request are no request";
    EXPECT_TRUE(running.kafka->kept().empty());
    EXPECT_EQ(running.redis->claims(), 0);
    EXPECT_EQ(running.gate_refusals(reason), before + (by_source ? 0 : 1));
}

INSTANTIATE_TEST_SUITE_P(Gate, RefusedOverSocket, testing::ValuesIn(gate::all_cases()),
                         [](const auto& one) { return one.param.name; });

class WrongChunksOverSocket : public testing::TestWithParam<gate::Case> {};

TEST_P(WrongChunksOverSocket, GetOneAnswerAndNothingElseHappens) {
    static RunningServer running{"chunked: true"};
    Client client = running.connect();
    client.send(gate::request({"Host: x", "Transfer-Encoding: chunked"}, GetParam().bytes));
    EXPECT_EQ(client.answer(), gate::response_of(GetParam().refusal));
    EXPECT_EQ(client.rest(), "");
    EXPECT_TRUE(running.kafka->kept().empty());
}

INSTANTIATE_TEST_SUITE_P(Gate, WrongChunksOverSocket, testing::ValuesIn(gate::chunk_cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace sluice::ingress
