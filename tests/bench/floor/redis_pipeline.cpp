#include "tests/bench/floor/redis_pipeline.hpp"

#include <array>
#include <cerrno>
#include <format>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <sys/socket.h>

namespace sluice::bench {

RedisPipeline::RedisPipeline(std::uint16_t port, Done done)
    : socket_{connect_to(port)}, done_{std::move(done)} {}

void RedisPipeline::claim(std::string_view id, std::uint64_t ticket) {
    std::format_to(
        std::back_inserter(out_),
        "*6\r\n$3\r\nSET\r\n${}\r\nwh:{}\r\n$1\r\n1\r\n$2\r\nNX\r\n$2\r\nPX\r\n$9\r\n259200000\r\n",
        id.size() + 3, id);
    waiting_.push_back(ticket);
}

void RedisPipeline::flush() {
    if (!out_.empty() && !send_some(socket_.get(), out_)) throw std::runtime_error{"Redis is gone"};
}

void RedisPipeline::readable() {
    std::array<char, 16384> room;
    const ssize_t count = recv(socket_.get(), room.data(), room.size(), 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) throw std::runtime_error{"Redis is gone"};
    if (count > 0) in_.append(room.data(), static_cast<std::size_t>(count));
    std::size_t used = 0;
    for (std::size_t end = 0; (end = in_.find("\r\n", used)) != std::string::npos; used = end + 2) {
        const std::string_view reply{in_.data() + used, end - used};
        if (reply != "+OK" && reply != "$-1") throw std::runtime_error{"Redis said " + std::string{reply}};
        const std::uint64_t ticket = waiting_.front();
        waiting_.pop_front();
        done_(ticket, reply == "+OK");
    }
    in_.erase(0, used);
}

}  // namespace sluice::bench
