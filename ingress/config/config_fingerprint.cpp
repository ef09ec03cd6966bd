#include "ingress/config/config_fingerprint.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "common/config/extent.hpp"
#include "common/config/secret_reference.hpp"
#include "common/config/section.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/webhook/recipe/certificate_folder.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t most_watched_bytes = 1024 * 1024;  // secrets and certificates

/// What the sources refer to: each path once however many aliases lead to it.
struct References {
    std::set<std::string> files;
    std::set<std::string> folders;
};

/// No more of a file than its reader accepts: what is larger, such as a device, is refused in any case.
std::string configuration_in(const std::string& path) {
    std::ifstream in{path, std::ios::binary};
    std::string text(config::most_file_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));  // of a folder: nothing
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

void add_content(const std::string& path, std::size_t most, crypto::PartsDigest& digest) {
    const crypto::Digest content = config::digest_of_content(path, most + 1);
    digest.part(crypto::as_text(content));
}

/// Settings of a kind that only the recipe knows: what is a folder, is meant as one.
void collect_settings(const config::Value& with, std::set<std::string>& folders) {
    for (const auto& [name, value] : with.entries()) {
        std::error_code ignored;
        if (value.is_scalar() && std::filesystem::is_directory(value.scalar(), ignored))
            folders.insert(value.scalar());
    }
}

/// Every {file: PATH} below `value`, and every folder that a `with` names; not those of `poll`, which need
/// not be there: this program never calls a provider.
void collect(const config::Value& value, References& found) {
    for (const config::Value& item : value.items()) collect(item, found);
    for (const auto& [key, inner] : value.entries()) {
        if (key.scalar() == "poll") continue;
        if (key.scalar() == "file" && inner.is_scalar()) found.files.insert(inner.scalar());
        if (key.scalar() == "with") collect_settings(inner, found.folders);
        collect(inner, found);
    }
}

References references_in(const std::string& text, const std::string& file, std::string_view list) {
    References found;
    try {
        config::Problems ignored;
        const auto document = config::Document::from_text(text, file, ignored);
        if (const auto entries = document.value(list)) collect(*entries, found);
    } catch (const config::Refused&) {
        // No YAML: its text alone tells whether it changed.
    }
    return found;
}

/// The certificates that are read from there; a draft beside them does not count.
void add_folder(const std::string& folder, crypto::PartsDigest& digest) {
    std::set<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at{folder, error}, end; !error && at != end;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (webhook::is_entry_name(name)) names.insert(name);
        if (names.size() > webhook::CertificateFolder::most_files) break;
    }
    for (const std::string& name : names) {
        digest.part(name);
        add_content(folder + '/' + name, webhook::CertificateFolder::longest_file, digest);
    }
}

}  // namespace

std::string content_fingerprint(const std::string& file, std::string_view list) {
    crypto::PartsDigest digest;
    digest.begin();
    const std::string text = configuration_in(file);
    digest.part(text);
    const References found = references_in(text, file, list);
    for (const std::string& secret : found.files) add_content(secret, most_watched_bytes, digest);
    for (const std::string& folder : found.folders) add_folder(folder, digest);
    return crypto::to_hex(digest.finish());
}

}  // namespace sluice::ingress
