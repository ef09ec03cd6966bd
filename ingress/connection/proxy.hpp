#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/network/address.hpp"
#include "common/webhook/http/request.hpp"

/// Who the client is when a proxy stands before us. Pure parsing; the caller asks only for
/// connections that come from a trusted proxy.
namespace sluice::connection {

using network::Address;
using network::Block;

/// The blocks that proxies connect from.
class TrustedProxies {
public:
    TrustedProxies() = default;
    explicit TrustedProxies(std::vector<Block> blocks) : blocks_{std::move(blocks)} {}
    [[nodiscard]] bool contains(const Address& address) const noexcept;

private:
    std::vector<Block> blocks_;
};

/// The binary header of the PROXY protocol, version 2
/// (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt section 2.2).
struct ProxyHeader {
    std::size_t size;               ///< bytes to take off the connection
    std::optional<Address> client;  ///< none for LOCAL (the proxy's own health check)
};
inline constexpr std::size_t proxy_fixed_part = 16;
inline constexpr std::size_t max_proxy_header = proxy_fixed_part + 1024;

enum class ProxyTrouble { incomplete, malformed };

[[nodiscard]] std::expected<ProxyHeader, ProxyTrouble> read_proxy_header(std::string_view bytes);

/// The whole header's size, once its fixed part is there.
[[nodiscard]] std::size_t proxy_header_size(std::string_view bytes);

/// The client by `X-Forwarded-For`: the last address that is no trusted proxy, since everything before it is
/// hearsay. nullopt when it says nothing usable. `Forwarded` (RFC 7239) is not read: the proxies that write
/// one of both pass on the other as the client sent it.
[[nodiscard]] std::optional<Address> forwarded_client(std::span<const webhook::HeaderField> fields,
                                                      const TrustedProxies& trusted);

}  // namespace sluice::connection
