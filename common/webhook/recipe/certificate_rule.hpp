#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/webhook/recipe/certificate_folder.hpp"
#include "common/webhook/recipe/input.hpp"

namespace sluice::webhook {

/// The key comes with the message, as a certificate or as the address of one. Each source says what it
/// trusts: the members that end in `_setting` name settings.
struct CertificateRule {
    Input from;
    std::string
        hosts_setting;  ///< `from` is an address at one of these; empty: it is the certificate, in PEM
    std::string cache_setting;  ///< where certificates lie by address
    std::string trust_setting;
    bool allows_sha1 = false;  ///< in this chain only
    /// What the subject's one common name ends with; or what its part number `part` is, counted from 1.
    std::string name_setting;
    std::size_t part = 0;
    char separator = '\0';
};

/// The same for one source. Immutable.
struct CertificateTrust {
    CertificateRule rule;
    std::uint8_t slot;  ///< of `from`
    std::vector<std::string> hosts;
    CertificateFolder cache;
    crypto::TrustStore store;
    std::string name;
};

}  // namespace sluice::webhook
