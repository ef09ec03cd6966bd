#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "ingress/dedup/redis_reply.hpp"
#include "ingress/dedup/reply_guard.hpp"
#include "tests/fuzz/support/require.hpp"

namespace sluice::fuzz {

/// A client on one end of a pair of sockets, with its three claims sent.
class Client {
public:
    static constexpr std::size_t claims = 3;

    Client() {
        require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()) == 0,
                "there are sockets");
        redisOptions options{};
        options.type = REDIS_CONN_USERFD;
        options.endpoint.fd = ends_[0];
        context_ = redisAsyncConnectWithOptions(&options);
        context_->c.flags |= REDIS_CONNECTED;
        context_->data = this;
        context_->dataCleanup = [](void* self) { static_cast<Client*>(self)->context_ = nullptr; };
        guard_.watch(*context_);
        for (std::size_t i = 0; i < claims; ++i) {
            redisAsyncCommand(context_, on_reply, nullptr, "SET key value NX GET");
            guard_.command_sent();
        }
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() {
        ::close(ends_[1]);
        if (context_ != nullptr) redisAsyncFree(context_);
    }

    void receive(std::string_view bytes) {
        while (!bytes.empty() && context_ != nullptr) {
            const auto sent =
                ::send(ends_[1], bytes.data(), std::min<std::size_t>(bytes.size(), 16'384), MSG_NOSIGNAL);
            require(sent > 0, "a pair of sockets takes a piece");
            bytes.remove_prefix(static_cast<std::size_t>(sent));
            redisAsyncHandleRead(context_);
        }
    }
    void end() {
        if (context_ != nullptr) redisAsyncFree(context_);
    }

    std::vector<dedup::Reply> replies;
    [[nodiscard]] bool is_up() const noexcept { return context_ != nullptr; }
    [[nodiscard]] bool has_tripped() const noexcept { return guard_.has_tripped(); }

private:
    static void on_reply(redisAsyncContext* context, void* reply, void*) {
        static_cast<Client*>(context->data)
            ->replies.push_back(dedup::reply_from(static_cast<redisReply*>(reply)));
    }

    std::array<int, 2> ends_{};
    dedup::ReplyGuard guard_;
    redisAsyncContext* context_ = nullptr;
};

}  // namespace sluice::fuzz
