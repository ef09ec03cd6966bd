#include "common/config/settings/tls_settings.hpp"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "common/config/secret_reference.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"

namespace sluice::config {
namespace {

std::string read_file_name(Section& tls, std::string_view key) {
    const auto reference = tls.secret(key);
    if (!reference) return {};
    const auto name = tls.path() + "." + std::string{key};
    if (reference->kind != SecretReference::Kind::file) {
        tls.problem_at(key, name + " must be {file: PATH}: the TLS library reads it from a file");
        return {};
    }
    if (::access(reference->name.c_str(), R_OK) != 0) {
        tls.problem_at(key, name + ": " + reference->text() +
                                " cannot be read: " + std::generic_category().message(errno));
    }
    return reference->name;
}

}  // namespace

Tls read_tls(Section& parent, std::string_view key, TlsSide side) {
    auto section = parent.section(key);
    Tls tls;
    if (side == TlsSide::client) tls.ca_file = read_file_name(section, "ca");
    if (side == TlsSide::server_of_clients) tls.ca_file = read_file_name(section, "client_ca");
    tls.cert_file = read_file_name(section, "cert");
    tls.key_file = read_file_name(section, "key");
    const bool is_server = side != TlsSide::client;
    const bool has_ca = !is_server && section.has("ca");
    const bool has_cert = section.has("cert");
    const bool has_key = section.has("key");
    if (has_cert != has_key) section.problem(section.path() + " must have both cert and key, or neither");
    tls.enabled = section.boolean("enabled", has_ca || has_cert || has_key);
    if (is_server && tls.enabled && !has_cert && !has_key) {
        section.problem(section.path() + " must have cert and key: a server needs a certificate");
    }
    return tls;
}

std::string fingerprint_of(const Tls& tls) {
    constexpr std::size_t most_bytes = 1 << 20;
    crypto::PartsDigest digest;
    digest.begin();
    for (const std::string& file : {tls.ca_file, tls.cert_file, tls.key_file}) {
        const crypto::Digest content = digest_of_content(file, most_bytes);
        digest.part(crypto::as_text(content));
    }
    return crypto::to_hex(digest.finish());
}

}  // namespace sluice::config
