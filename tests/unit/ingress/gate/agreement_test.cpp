#include "ingress/gate/agreement.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/ingress/gate/corpus.hpp"

namespace sluice::gate {
namespace {

Head head_of(std::string_view bytes) {
    Head head;
    EXPECT_TRUE(read_head(bytes, head));
    return head;
}

TEST(SecondOpinion, AgreesOnWhatTheGateLetsThrough) {
    for (const auto& fields :
         {std::vector<std::string>{"Host: x", "Content-Length: 5"},
          {"Host: x", "Transfer-Encoding: chunked"},
          {"Host: x", "Content-Length: 0", "Connection: close"},
          {"Host: [::1]:80", "Content-Length: 99999999"},
          {"Host: x", "Content-Length: 5", "Expect: 100-continue", "A: 1", "a: 2", "A:"},
          {"Host: x", "Content-Length: 5", "CF-IPCity: S\xc3\xa3o Paulo", "A: \xa0\xff\x80"},
          {"Host: x", "Content-Length: 5", "Connection:"},
          {"Host: x", "Content-Length: 5", "Connection: , TE,\tclose ,"},
          {"Host: x", "Content-Length: 5", "Connection: keep-alive", "Proxy-Connection: close"}}) {
        const std::string bytes = request(fields, "");
        EXPECT_TRUE(beast_agrees(bytes, head_of(bytes))) << bytes;
        if (bytes.contains("chunked")) continue;
        const std::string old = request(fields, "", "POST / HTTP/1.0");
        EXPECT_TRUE(beast_agrees(old, head_of(old))) << old;
    }
}

TEST(SecondOpinion, AgreesOnTheLargestHead) {
    std::vector<std::string> fields{"Host: x", "Content-Length: 5"};
    while (fields.size() < max_fields)
        fields.push_back("X-Name-" + std::to_string(fields.size()) + ": " + std::string(200, 'v'));
    const std::string bytes = request(fields, "");
    EXPECT_TRUE(beast_agrees(bytes, head_of(bytes)));
}

/// Whether it notices that the gate would have read something else than Beast does.
bool notices(void (*misread)(Head&)) {
    const std::string bytes = request({"Host: x", "Content-Length: 5", "A: b"}, "");
    Head head = head_of(bytes);
    misread(head);
    return !beast_agrees(bytes, head);
}

TEST(SecondOpinion, NoticesEveryDifference) {
    EXPECT_TRUE(notices([](Head& head) { head.method = "PUT"; }));
    EXPECT_TRUE(notices([](Head& head) { head.target = "/"; }));
    EXPECT_TRUE(notices([](Head& head) { --head.count; }));
    EXPECT_TRUE(notices([](Head& head) { head.all[2].name = "B"; }));
    EXPECT_TRUE(notices([](Head& head) { head.all[2].value = "c"; }));
    EXPECT_TRUE(notices([](Head& head) { std::swap(head.all[0], head.all[2]); }));
    EXPECT_TRUE(notices([](Head& head) { head.framing.length = 6; }));
    EXPECT_TRUE(notices([](Head& head) { head.framing.kind = Framing::Kind::chunked; }));
    EXPECT_TRUE(notices([](Head& head) { head.framing.kind = Framing::Kind::none; }));
    EXPECT_TRUE(notices([](Head& head) { head.keep_alive = false; }));
    EXPECT_TRUE(notices([](Head& head) { head.is_http_1_0 = true; }));
    // An old request ends its connection, as it must: the version alone differs.
    EXPECT_TRUE(notices([](Head& head) {
        head.is_http_1_0 = true;
        head.keep_alive = false;
    }));
    EXPECT_FALSE(notices([](Head&) {}));
}

TEST(SecondOpinion, NoticesAnOldConnectionThatWouldBeKept) {
    const std::string bytes =
        request({"Host: x", "Content-Length: 5", "Connection: keep-alive"}, "", "POST / HTTP/1.0");
    Head head = head_of(bytes);
    head.keep_alive = true;
    EXPECT_FALSE(beast_agrees(bytes, head));
}

TEST(SecondOpinion, RefusesWhatBeastRefuses) {
    Head head;
    EXPECT_FALSE(beast_agrees("POST / HTTP/1.1\r\nHost x\r\n\r\n", head));
    EXPECT_FALSE(beast_agrees("POST / HTTP/1.1\r\nHost: x\r\n", head));
}

}  // namespace
}  // namespace sluice::gate
