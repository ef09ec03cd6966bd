#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/crypto/certificate.hpp"

namespace sluice::webhook {

/// Certificates by the address that they were fetched from (by sluicectl paypal fetch, not by us):
/// `<hex SHA-256 of the address>.pem`, the leaf first. Read once; pure afterwards.
class CertificateFolder {
public:
    static constexpr std::size_t most_files = 256;
    static constexpr std::size_t longest_file = 64 * 1024;

    /// Nothing when the folder cannot be read, or holds more files of such names. `unreadable` gets the names
    /// of those that hold no certificates: their addresses stay unknown.
    [[nodiscard]] static std::optional<CertificateFolder> read(const std::string& path,
                                                               std::vector<std::string>& unreadable);

    /// The file's name for an address.
    [[nodiscard]] static std::string name_for(std::string_view address);

    /// Null for an address that is not there.
    [[nodiscard]] const crypto::Certificates* find(std::string_view address) const;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// By the hex digest of their addresses.
    [[nodiscard]] const std::map<std::string, crypto::Certificates, std::less<>>& all() const noexcept {
        return by_digest_;
    }

private:
    std::string path_;
    std::map<std::string, crypto::Certificates, std::less<>> by_digest_;
};

/// Whether a file of that name in such a folder is read.
[[nodiscard]] bool is_entry_name(std::string_view name);

/// https, exactly one of the hosts, and a path of letters, digits and / . _ -: no port, no user, no query.
[[nodiscard]] bool is_address_at(std::string_view address, std::span<const std::string> hosts);

}  // namespace sluice::webhook
