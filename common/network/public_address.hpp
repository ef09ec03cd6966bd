#pragma once

#include "common/network/address.hpp"

namespace sluice::network {

/// Whether it is a host of the public Internet: none of a private network, of this machine or of a link, no
/// group and nothing reserved (IANA's special-purpose registries, RFC 6890), nor an IPv6 address that leads
/// to such an IPv4 one (RFC 6052, RFC 3056).
[[nodiscard]] bool is_public(const Address& address) noexcept;

}  // namespace sluice::network
