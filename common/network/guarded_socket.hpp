#pragma once

#include <optional>
#include <span>
#include <string>

#include <curl/curl.h>

#include "common/network/address.hpp"

namespace sluice::network {

/// Where requests of a libcurl handle may go: to public addresses, and to those of `allowed`. What counts is
/// the address that is connected to, at each connect: a name may mean another one by then. With a proxy that
/// is the proxy's. One thread's.
class GuardedSocket {
public:
    /// `allowed` outlives it. `takes_public`: false where only `allowed` may be connected to.
    explicit GuardedSocket(std::span<const Block> allowed, bool takes_public = true)
        : allowed_{allowed}, takes_public_{takes_public} {}
    GuardedSocket(const GuardedSocket&) = delete;
    GuardedSocket& operator=(const GuardedSocket&) = delete;

    /// From now on it opens the sockets of `handle`, whose transfers it outlives. False: this libcurl cannot.
    [[nodiscard]] bool watch(CURL* handle);
    void begin() { forbidden_.reset(); }  ///< a request
    /// Of the request: the address that it was not let to, as a sentence that says what to do; or empty.
    [[nodiscard]] std::string refusal() const;

private:
    static curl_socket_t open(void* guard, curlsocktype purpose, curl_sockaddr* peer);

    std::span<const Block> allowed_;
    bool takes_public_;
    std::optional<Address> forbidden_;
};

}  // namespace sluice::network
