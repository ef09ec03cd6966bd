#include "ctl/listen/message_text.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "ctl/cli/json.hpp"

namespace sluice::ctl {
namespace {

Message verified_message() {
    return {.at = WallTime{std::chrono::seconds{1'790'000'000}},
            .source = "stripe-eu",
            .effect = "credit-wallet",
            .key = "3f9a2b7c01de445566",
            .body = R"({"amount":500})",
            .signature = Message::Signature::verified,
            .answer = 204};
}

TEST(ListenText, SaysAllOnOneLine) {
    EXPECT_EQ(message_text(verified_message(), false),
              "2026-09-21 14:13:20  credit-wallet  stripe-eu  3f9a2b7c01de  verified  new  14 bytes  "
              "answered 204\n");
}

TEST(ListenText, SaysWhyAMessageWasRefused) {
    Message message = verified_message();
    message.signature = Message::Signature::wrong;
    message.check = "signature_mismatch";
    message.answer = 401;
    EXPECT_TRUE(message_text(message, false).contains("  wrong signature (signature_mismatch)  refused  "));
    message.signature = Message::Signature::missing;
    EXPECT_TRUE(message_text(message, false).contains("  not signed  refused  "));
    message.signature = Message::Signature::stale;
    message.check = "too_old";
    EXPECT_TRUE(message_text(message, false).contains("  stale (too_old)  refused  "));
}

TEST(ListenText, TellsNewFromKnown) {
    Message message = verified_message();
    message.is_again = true;
    EXPECT_TRUE(message_text(message, false).contains("  verified  again  "));
}

TEST(ListenText, WhatIsNotThereIsADash) {
    Message message = verified_message();
    message.source.clear();
    message.key.clear();
    EXPECT_TRUE(message_text(message, false).contains("  credit-wallet  -  -  verified  "));
}

TEST(ListenText, HostileTextNeitherDrawsNorMakesALine) {
    Message message = verified_message();
    message.effect = "a\x1b[2J\xc2\x9b" + std::string(200, 'x');
    message.body = "1\x1b]0;title\x07\r\n2026-09-21 forged  verified  new\n\xff";
    const std::string text = message_text(message, true);
    EXPECT_FALSE(text.contains('\x1b') || text.contains('\x07') || text.contains('\r') ||
                 text.contains("\xc2\x9b"));
    EXPECT_FALSE(text.contains(std::string(100, 'x')));
    EXPECT_TRUE(text.contains("\n    2026-09-21 forged")) << text;
    const std::string json = message_json(message, true);
    EXPECT_TRUE(
        std::ranges::all_of(json.substr(0, json.size() - 1), [](char c) { return c >= 0x20 && c < 0x7f; }));
}

TEST(ListenText, ShowsTheBeginningOfALargeBody) {
    Message message = verified_message();
    message.body.assign(20'000, 'x');
    EXPECT_TRUE(message_text(message, true).contains("\n    (3616 more bytes: --json prints all)\n"));
}

TEST(ListenText, IsAJsonObjectForPrograms) {
    const Json json = parse_json(message_json(verified_message(), true)).value();
    EXPECT_EQ(json["time"], "2026-09-21T14:13:20.000000Z");
    EXPECT_EQ(json["key"], "3f9a2b7c01de445566");
    EXPECT_EQ(json["signature"], "verified");
    EXPECT_EQ(json["seen"], "new");
    EXPECT_EQ(json["answer"], 204);
    EXPECT_EQ(json["body"], R"({"amount":500})");
    EXPECT_FALSE(parse_json(message_json(verified_message(), false)).value().contains("body"));
}

}  // namespace
}  // namespace sluice::ctl
