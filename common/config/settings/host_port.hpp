#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/network/address.hpp"

namespace sluice::config {

/// "host:port" or "[v6 address]:port", with the brackets removed; `default` is the port where none is
/// written; without either, nullopt. The host is a name or an address: letters, digits, and - . _
/// (and : inside brackets).
[[nodiscard]] std::optional<HostPort> host_port_from_text(
    std::string_view text, std::optional<std::uint16_t> fallback = std::nullopt);

/// Whether `text` is an IPv4 or IPv6 address in its numeric form.
[[nodiscard]] bool is_address(std::string_view text);

/// Whether `text` is an address, or a network such as 10.0.0.0/8 without bits beyond its prefix.
[[nodiscard]] bool is_address_block(std::string_view text);

/// An address to listen on: numeric, with a port (0: any free one). Reports at `key` of `section`.
[[nodiscard]] HostPort read_listening_address(Section& section, std::string_view key,
                                              std::string_view fallback);

/// A list of addresses and networks. Reports what is none at `key` of `section`, and leaves it out.
[[nodiscard]] std::vector<network::Block> read_blocks(Section& section, std::string_view key);

}  // namespace sluice::config
