#include "ingress/dedup/reply_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::dedup {
namespace {

using Kind = Reply::Kind;

/// A reader, and the replies that it gave so far.
class ReplyReaderTest : public testing::Test {
protected:
    void send_commands(int count) {
        for (int i = 0; i < count; ++i) reader_.command_sent();
    }
    void receive(std::string_view bytes) {
        reader_.feed(bytes);
        while (const Reply* const reply = reader_.next()) replies_.push_back(*reply);
    }
    [[nodiscard]] bool is_up() const { return reader_.trouble().empty(); }

    void expect_reply(std::string_view bytes, Kind kind, std::string_view text) {
        send_commands(1);
        receive(bytes);
        ASSERT_FALSE(replies_.empty()) << bytes;
        EXPECT_EQ(replies_.back().kind, kind) << bytes;
        EXPECT_EQ(replies_.back().text.view(), text) << bytes;
        EXPECT_TRUE(is_up()) << bytes;
    }

    ReplyReader reader_;
    std::vector<Reply> replies_;
};

TEST_F(ReplyReaderTest, EachKindOfReply) {
    expect_reply("$-1\r\n", Kind::nil, "");
    expect_reply("*-1\r\n", Kind::nil, "");
    expect_reply({"$5\r\nD:\0ab\r\n", 11}, Kind::text, {"D:\0ab", 5});
    expect_reply("-OOM no\r\n", Kind::error, "OOM no");
    expect_reply("+OK\r\n", Kind::status, "OK");
    for (const std::string_view odd : {":1\r\n", ",1.5\r\n", "#t\r\n", "=7\r\ntxt:D:a\r\n", "(12\r\n"}) {
        send_commands(1);
        receive(odd);
        EXPECT_EQ(replies_.back().kind, Kind::odd) << odd;
    }
}

TEST_F(ReplyReaderTest, TextIsCut) {
    const std::string text(10'000, 'x');
    expect_reply("$10000\r\n" + text + "\r\n", Kind::text, text.substr(0, longest_text));
}

TEST_F(ReplyReaderTest, ReplyComesInPieces) {
    send_commands(2);
    for (const char byte : std::string_view{"$4\r\nP:0a\r\n$-1\r\n"}) receive({&byte, 1});
    ASSERT_EQ(replies_.size(), 2U);
    EXPECT_EQ(replies_[0].text.view(), "P:0a");
    EXPECT_EQ(replies_[1].kind, Kind::nil);
}

TEST_F(ReplyReaderTest, SurplusReplyEndsTheConnection) {
    send_commands(1);
    receive("$-1\r\n$-1\r\n");
    EXPECT_EQ(replies_.size(), 1U);
    EXPECT_FALSE(is_up());
}

TEST_F(ReplyReaderTest, HalfASurplusReplyEndsItToo) {
    send_commands(1);
    receive("$-1\r\n$");
    EXPECT_EQ(replies_.size(), 1U);
    EXPECT_FALSE(is_up());
    send_commands(1);
    receive("-1\r\n");
    EXPECT_EQ(replies_.size(), 1U) << "it would have answered the next command";
}

TEST_F(ReplyReaderTest, BytesThatNobodyAskedForEndIt) {
    receive("$");
    EXPECT_FALSE(is_up());
}

TEST_F(ReplyReaderTest, ArrayEndsTheConnectionAtOnce) {
    send_commands(1);
    receive("*1\r\n");
    EXPECT_FALSE(is_up());
    EXPECT_TRUE(replies_.empty());
}

TEST_F(ReplyReaderTest, ReplyThatIsTooLongEndsItInOnePieceAndInMany) {
    const std::string reply = "$20000\r\n" + std::string(20'000, 'x') + "\r\n";
    send_commands(1);
    receive(reply);
    EXPECT_FALSE(is_up());
    ReplyReader apart;
    apart.command_sent();
    for (std::size_t at = 0; at < reply.size() && apart.trouble().empty(); at += 1000) {
        apart.feed(std::string_view{reply}.substr(at, 1000));
        EXPECT_EQ(apart.next(), nullptr);
    }
    EXPECT_FALSE(apart.trouble().empty());
}

TEST_F(ReplyReaderTest, WhatIsNoReplyEndsTheConnection) {
    send_commands(1);
    receive("HTTP/1.1 200 OK\r\n\r\n");
    EXPECT_FALSE(is_up());
    EXPECT_TRUE(replies_.empty());
}

}  // namespace
}  // namespace sluice::dedup
