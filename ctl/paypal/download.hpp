#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"

namespace sluice::ctl {

/// How certificates are fetched.
struct DownloadRules {
    std::string ca_file;  ///< whom TLS trusts; empty: the system's roots
    /// Where TCP connects instead of the address's host and port 443; TLS and the request still name those.
    std::optional<config::HostPort> by_way_of;
    Milliseconds within;  ///< for the whole of it, once the connection stands
    std::size_t longest;  ///< bytes of an answer
};

struct DownloadFailure {
    bool is_unreachable;  ///< else a server answered, but not with what was asked for
    std::string why;
};

/// One GET of an address that is_address_at let pass: no redirect is followed, nothing but 200 is an answer.
/// Blocking.
[[nodiscard]] std::expected<std::string, DownloadFailure> download(const std::string& address,
                                                                   const DownloadRules& rules);

}  // namespace sluice::ctl
