#pragma once

#include <string>
#include <string_view>

#include "common/config/settings/connections.hpp"

namespace sluice::config {

/// Which end of the connection we are.
enum class TlsSide {
    client,  ///< ca, and optionally cert with key; neither: {enabled: true} trusts the system's roots
    server,  ///< cert with key, no ca
    server_of_clients,  ///< the same, and optionally client_ca, which becomes the `ca_file`
};

/// {enabled, ca: {file: …}, cert: {file: …}, key: {file: …}}; `enabled` defaults to whether any other
/// key is there. Each file must be readable now, so that a typo shows at start.
[[nodiscard]] Tls read_tls(Section& parent, std::string_view key, TlsSide side);

/// Changes when one of its files gets other content, within the first MiB. One that cannot be read counts as
/// empty. No copy of the key stays in memory.
[[nodiscard]] std::string fingerprint_of(const Tls& tls);

}  // namespace sluice::config
