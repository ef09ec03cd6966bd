#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/bench/floor/producer.hpp"
#include "tests/bench/floor/redis_pipeline.hpp"
#include "tests/bench/floor/webhook.hpp"
#include "tests/bench/wire/socket.hpp"

namespace sluice::bench {

struct ServerSettings {
    std::uint16_t port = 0;
    std::uint16_t redis = 0;
    std::string brokers;
    std::string topic;
    std::string secret;
    Form form = Form::plain;
};

/// One epoll thread that does all of it. `run` returns when `stop` was asked for by a signal.
class Server {
public:
    explicit Server(const ServerSettings& settings);
    void run(const volatile bool& stop);

private:
    static constexpr std::size_t room = 16384;
    /// One peer, one request at a time. It is its own ticket's number.
    struct Connection {
        Descriptor socket;
        std::uint64_t ticket = 0;
        std::size_t filled = 0;
        Webhook webhook;
        Request request;
        std::array<char, room + simdjson::SIMDJSON_PADDING> bytes;
    };

    void accept_all();
    void readable(Connection& connection);
    void look(Connection& connection);
    void claimed(std::uint64_t ticket, bool is_new);
    void stored(std::uint64_t ticket, bool stored);
    void answer(Connection& connection, std::string_view response);
    void drop(Connection& connection);

    Epoll epoll_;
    Descriptor listener_;
    Reader reader_;
    RedisPipeline redis_;
    Producer producer_;
    std::uint64_t next_ticket_ = 1;
    std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
};

}  // namespace sluice::bench
