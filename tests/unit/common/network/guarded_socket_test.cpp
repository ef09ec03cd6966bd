#include "common/network/guarded_socket.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace sluice::network {
namespace {

/// Takes connections on both loopback addresses, and answers none.
class Port {
public:
    Port() : socket_{::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        const int off = 0;
        ::setsockopt(socket_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        sockaddr_in6 place{};
        place.sin6_family = AF_INET6;
        place.sin6_addr = in6addr_any;
        auto* const address = reinterpret_cast<sockaddr*>(&place);
        socklen_t size = sizeof place;
        const bool is_open = ::bind(socket_, address, size) == 0 && ::listen(socket_, 8) == 0 &&
                             ::getsockname(socket_, address, &size) == 0;
        if (!is_open) throw std::runtime_error{"no port"};
        number_ = std::to_string(ntohs(place.sin6_port));
    }
    ~Port() { ::close(socket_); }
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    [[nodiscard]] const std::string& number() const { return number_; }

private:
    int socket_;
    std::string number_;
};

std::vector<Block> blocks(const std::vector<std::string>& texts) {
    std::vector<Block> all;
    for (const auto& text : texts) all.push_back(Block::parse(text).value());
    return all;
}

class GuardedSocketTest : public testing::Test {
protected:
    /// Connects, and sends nothing.
    CURLcode connect(const std::string& host, const std::vector<std::string>& allowed,
                     bool takes_public = true) {
        const auto its_blocks = blocks(allowed);
        GuardedSocket guard{its_blocks, takes_public};
        const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy{curl_easy_init(), &curl_easy_cleanup};
        EXPECT_TRUE(guard.watch(easy.get()));
        const std::string url = "http://" + host + ":" + port_.number() + "/";
        curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
        curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
        curl_easy_setopt(easy.get(), CURLOPT_CONNECT_ONLY, 1L);
        const CURLcode code = curl_easy_perform(easy.get());
        refusal = guard.refusal();
        guard.begin();
        EXPECT_EQ(guard.refusal(), "") << "that is another request";
        return code;
    }

    std::string refusal;

private:
    Port port_;
};

TEST_F(GuardedSocketTest, WhatIsNotPublicIsNotConnectedTo) {
    EXPECT_EQ(connect("127.0.0.1", {}), CURLE_COULDNT_CONNECT);
    EXPECT_EQ(refusal, "its address 127.0.0.1 is not public: name it under allow, if that is meant");
    EXPECT_EQ(connect("[::1]", {"127.0.0.0/8"}), CURLE_COULDNT_CONNECT);
    EXPECT_EQ(refusal, "its address ::1 is not public: name it under allow, if that is meant");
}

TEST_F(GuardedSocketTest, ANameCountsByItsAddress) {
    EXPECT_EQ(connect("localhost", {"10.0.0.0/8"}), CURLE_COULDNT_CONNECT);
    EXPECT_NE(refusal, "");
}

TEST_F(GuardedSocketTest, PublicIsNotEnoughWhereOnlyTheAllowedAreTaken) {
    EXPECT_EQ(connect("8.8.8.8", {"127.0.0.0/8"}, false), CURLE_COULDNT_CONNECT);
    EXPECT_EQ(
        refusal,
        "its address 8.8.8.8 is none that may get this without TLS: name it under allow, if that is meant");
    EXPECT_EQ(connect("127.0.0.1", {"127.0.0.0/8"}, false), CURLE_OK);
}

TEST_F(GuardedSocketTest, WhatIsAllowedIsConnectedTo) {
    EXPECT_EQ(connect("127.0.0.1", {"10.0.0.0/8", "127.0.0.0/8"}), CURLE_OK);
    EXPECT_EQ(refusal, "");
    EXPECT_EQ(connect("[::1]", {"::1"}), CURLE_OK);
}

}  // namespace
}  // namespace sluice::network
