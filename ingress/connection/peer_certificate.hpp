#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"

struct x509_st;

namespace sluice::connection {

/// What a client's certificate says of it, byte for byte. Who has one was verified: it leads to a root that
/// is trusted for clients.
struct PeerCertificate {
    std::string subject;            ///< RFC 2253, as `openssl x509 -subject -nameopt RFC2253` writes it
    std::vector<std::string> dns;   ///< of its alternative names
    std::vector<std::string> uris;  ///< the same
    WallTime ends;                  ///< it counts for less long than this
};

/// nullopt: a part of it cannot be read.
[[nodiscard]] std::optional<PeerCertificate> read_peer(x509_st& certificate);

}  // namespace sluice::connection
