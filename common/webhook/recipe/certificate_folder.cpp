#include "common/webhook/recipe/certificate_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/config/whole_file.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::webhook {

namespace {

constexpr std::string_view ending = ".pem";

bool is_path_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view{"/._-"}.contains(c);
}

}  // namespace

std::optional<CertificateFolder> CertificateFolder::read(const std::string& path,
                                                         std::vector<std::string>& unreadable) {
    CertificateFolder folder;
    folder.path_ = path;
    std::error_code error;
    std::size_t files = 0;
    for (std::filesystem::directory_iterator at{path, error}, end; !error && at != end; at.increment(error)) {
        if (!is_entry_name(at->path().filename().native())) continue;
        if (++files > most_files) return std::nullopt;
        const auto text = config::read_whole_file(at->path(), longest_file);
        auto certificates = text ? crypto::Certificates::from_pem(*text) : std::nullopt;
        if (!certificates) {
            unreadable.push_back(at->path().filename());
        } else {
            folder.by_digest_.emplace(at->path().stem(), std::move(*certificates));
        }
    }
    if (error) return std::nullopt;
    return folder;
}

std::string CertificateFolder::name_for(std::string_view address) {
    return crypto::to_hex(crypto::sha256(address)).append(ending);
}

const crypto::Certificates* CertificateFolder::find(std::string_view address) const {
    const auto found = by_digest_.find(crypto::to_hex(crypto::sha256(address)));
    return found == by_digest_.end() ? nullptr : &found->second;
}

bool is_entry_name(std::string_view name) {
    if (!name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    return crypto::digest_from_hex(name).has_value();
}

bool is_address_at(std::string_view address, std::span<const std::string> hosts) {
    constexpr std::string_view scheme = "https://";
    if (!address.starts_with(scheme)) return false;
    address.remove_prefix(scheme.size());
    const std::size_t slash = address.find('/');
    if (slash == std::string_view::npos) return false;
    return std::ranges::contains(hosts, address.substr(0, slash)) &&
           std::ranges::all_of(address.substr(slash), is_path_letter);
}

}  // namespace sluice::webhook
