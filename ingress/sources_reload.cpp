#include "ingress/sources_reload.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "common/config/extent.hpp"
#include "common/config/section.hpp"
#include "common/crypto/encoding.hpp"
#include "ingress/config.hpp"
#include "ingress/verify/certificate_folder.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t most_watched_bytes = 1024 * 1024;  // secrets and certificates

/// No more of a file than its reader accepts: what is larger, such as a device, is refused in any case.
std::string content_of(const std::string& path, std::size_t most) {
    std::ifstream in{path, std::ios::binary};
    std::string text(most + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));  // of a folder: nothing
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

/// Every {file: PATH} below `value`, each path once however many aliases lead to it.
void collect_files(const config::Value& value, std::set<std::string>& files) {
    for (const config::Value& item : value.items()) collect_files(item, files);
    for (const auto& [key, inner] : value.entries()) {
        if (key.scalar() == "file" && inner.is_scalar()) files.insert(inner.scalar());
        collect_files(inner, files);
    }
}

/// Every folder of certificates below `value`.
void collect_folders(const config::Value& value, std::set<std::string>& folders) {
    for (const config::Value& item : value.items()) collect_folders(item, folders);
    for (const auto& [key, inner] : value.entries()) {
        if (key.scalar() == "cert_cache" && inner.is_scalar()) folders.insert(inner.scalar());
        collect_folders(inner, folders);
    }
}

/// Names and times of what lies there: whoever fills it puts whole files in place.
std::string listing_of(const std::string& folder) {
    std::set<std::string> lines;
    std::error_code error;
    for (std::filesystem::directory_iterator at{folder, error}, end; !error && at != end;
         at.increment(error)) {
        const auto time = at->last_write_time(error).time_since_epoch().count();
        lines.insert(at->path().filename().string() + ' ' + std::to_string(time));
        if (lines.size() > verify::CertificateFolder::most_files) break;
    }
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

}  // namespace

std::string content_fingerprint(const std::string& file) {
    crypto::PartsDigest digest;
    digest.begin();
    const std::string text = content_of(file, config::most_file_bytes);
    digest.part(text);
    std::set<std::string> secrets;
    std::set<std::string> folders;
    try {
        config::Problems ignored;
        const auto document = config::Document::from_text(text, file, ignored);
        if (const auto sources = document.value("sources")) {
            collect_files(*sources, secrets);
            collect_folders(*sources, folders);
        }
    } catch (const config::Refused&) {
        // No YAML: its text alone tells whether it changed.
    }
    for (const std::string& secret : secrets) digest.part(content_of(secret, most_watched_bytes));
    for (const std::string& folder : folders) digest.part(listing_of(folder));
    return crypto::to_hex(digest.finish());
}

SourcesReload::SourcesReload(std::string file, std::function<void(const verify::SourceSet&)> use, Log& log,
                             Metrics& metrics)
    : file_{std::move(file)},
      use_{std::move(use)},
      log_{log},
      failed_{metrics.gauge("sluice_config_reload_failed", "1 while the configuration file cannot be used")},
      tried_{content_fingerprint(file_)} {
    failed_.Set(0);
}

void SourcesReload::check() {
    std::string now = content_fingerprint(file_);
    if (now == tried_) return;
    tried_ = std::move(now);
    reload();
}

void SourcesReload::force() {
    tried_ = content_fingerprint(file_);
    reload();
}

void SourcesReload::reload() {
    try {
        config::Problems problems;
        const verify::SourceSet sources = read_sources_of(file_, problems);
        for (const std::string& warning : problems.warnings())
            log_.warn("config_warning", {{"warning", std::string_view{warning}}});
        use_(sources);
        failed_.Set(0);
        log_.info("config_reloaded", {{"sources", static_cast<std::int64_t>(sources.size())}});
    } catch (const config::Refused& refused) {
        failed_.Set(1);
        log_.error("config_reload_failed", {{"why", std::string_view{refused.what()}}});
    }
}

}  // namespace sluice::ingress
