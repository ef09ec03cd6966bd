#include "ingress/dedup/redis_reply.hpp"

#include <gtest/gtest.h>

namespace sluice::dedup {
namespace {

using Kind = Reply::Kind;

redisReply with_text(int type, std::string& text) {
    redisReply reply{};
    reply.type = type;
    reply.str = text.data();
    reply.len = text.size();
    return reply;
}

TEST(RedisReply, NoReplyIsNone) {
    EXPECT_EQ(reply_from(nullptr).kind, Kind::none);
}

TEST(RedisReply, TextAndErrorsKeepTheirBytes) {
    std::string text{"D:\0ab", 5};
    const redisReply bulk = with_text(REDIS_REPLY_STRING, text);
    EXPECT_EQ(reply_from(&bulk).kind, Kind::text);
    EXPECT_EQ(reply_from(&bulk).text, text);
    const redisReply error = with_text(REDIS_REPLY_ERROR, text);
    EXPECT_EQ(reply_from(&error).kind, Kind::error);
    EXPECT_EQ(reply_from(&error).text, text);
}

TEST(RedisReply, TextIsCut) {
    std::string text(10'000, 'x');
    const redisReply bulk = with_text(REDIS_REPLY_STRING, text);
    EXPECT_EQ(reply_from(&bulk).text.size(), longest_text);
}

TEST(RedisReply, OtherTypesAreOdd) {
    std::string text = "D:ab";
    for (const int type : {REDIS_REPLY_STATUS, REDIS_REPLY_INTEGER, REDIS_REPLY_ARRAY, REDIS_REPLY_VERB,
                           REDIS_REPLY_PUSH, REDIS_REPLY_BOOL, REDIS_REPLY_DOUBLE, REDIS_REPLY_MAP}) {
        const redisReply reply = with_text(type, text);
        EXPECT_EQ(reply_from(&reply).kind, Kind::odd) << type;
        EXPECT_EQ(reply_from(&reply).text, "") << type;
    }
}

}  // namespace
}  // namespace sluice::dedup
