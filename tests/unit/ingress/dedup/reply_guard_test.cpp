#include "ingress/dedup/reply_guard.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

namespace sluice::dedup {
namespace {

/// A guarded context on one end of a pair of sockets, and the server's end.
class ReplyGuardTest : public testing::Test {
protected:
    ReplyGuardTest() {
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()), 0);
        redisOptions options{};
        options.type = REDIS_CONN_USERFD;
        options.endpoint.fd = ends_[0];
        context_ = redisAsyncConnectWithOptions(&options);
        context_->c.flags |= REDIS_CONNECTED;
        context_->data = this;
        context_->dataCleanup = [](void* self) { static_cast<ReplyGuardTest*>(self)->context_ = nullptr; };
        guard_.watch(*context_);
    }
    ~ReplyGuardTest() override {
        if (context_ != nullptr) redisAsyncFree(context_);
        ::close(ends_[1]);
    }

    void send_command() {
        const auto count = [](redisAsyncContext* context, void* reply, void*) {
            if (reply != nullptr) ++static_cast<ReplyGuardTest*>(context->data)->replies_;
        };
        ASSERT_EQ(redisAsyncCommand(context_, count, nullptr, "GET key"), REDIS_OK);
        guard_.command_sent();
    }
    void receive(std::string_view bytes) {
        ASSERT_EQ(::send(ends_[1], bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
        redisAsyncHandleRead(context_);
    }
    [[nodiscard]] bool is_up() const { return context_ != nullptr; }

    std::array<int, 2> ends_{};
    ReplyGuard guard_;
    redisAsyncContext* context_ = nullptr;
    int replies_ = 0;
};

TEST_F(ReplyGuardTest, ReplyOfACommandPasses) {
    send_command();
    receive("$-1\r\n");
    EXPECT_EQ(replies_, 1);
    EXPECT_TRUE(is_up());
}

TEST_F(ReplyGuardTest, SurplusReplyEndsTheConnection) {
    send_command();
    receive("$-1\r\n$-1\r\n");
    EXPECT_EQ(replies_, 1);
    EXPECT_FALSE(is_up());
    EXPECT_TRUE(guard_.has_tripped());
}

TEST_F(ReplyGuardTest, ArrayIsWaitedFor) {
    send_command();
    receive("*16\r\n");
    EXPECT_TRUE(is_up());
}

TEST_F(ReplyGuardTest, ArrayOfTooManyEndsTheConnectionAtOnce) {
    send_command();
    receive("*17\r\n");
    EXPECT_FALSE(is_up());
    EXPECT_EQ(replies_, 0);
}

}  // namespace
}  // namespace sluice::dedup
