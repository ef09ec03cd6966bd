#include "common/network/guarded_socket.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>

#include <netinet/in.h>

#include "common/network/public_address.hpp"

namespace sluice::network {
namespace {

Address address_of(const curl_sockaddr& peer) {
    if (peer.family == AF_INET) {
        std::array<std::uint8_t, 4> bytes{};
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(peer.addr);
        std::copy_n(reinterpret_cast<const std::uint8_t*>(&v4.sin_addr), bytes.size(), bytes.begin());
        return Address::from_v4(bytes);
    }
    std::array<std::uint8_t, 16> bytes{};
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(peer.addr);
    std::copy_n(v6.sin6_addr.s6_addr, bytes.size(), bytes.begin());
    return Address::from_v6(bytes);
}

}  // namespace

bool GuardedSocket::watch(CURL* handle) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &open) == CURLE_OK &&
           curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this) == CURLE_OK;
}

std::string GuardedSocket::refusal() const {
    if (!forbidden_) return {};
    const char* const why = takes_public_ ? " is not public" : " is none that may get this without TLS";
    return "its address " + forbidden_->text() + why + ": name it under allow, if that is meant";
}

curl_socket_t GuardedSocket::open(void* guard, curlsocktype, curl_sockaddr* peer) {
    auto& its = *static_cast<GuardedSocket*>(guard);
    const Address address = address_of(*peer);
    const auto has_it = [&](const Block& block) { return block.contains(address); };
    const bool is_taken = its.takes_public_ && is_public(address);
    if (!is_taken && std::ranges::none_of(its.allowed_, has_it)) {
        its.forbidden_ = address;
        return CURL_SOCKET_BAD;
    }
    return ::socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}

}  // namespace sluice::network
