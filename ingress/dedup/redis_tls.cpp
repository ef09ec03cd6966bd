#include "ingress/dedup/redis_tls.hpp"

#include <format>

#include "common/config/problems.hpp"
#include "common/config/settings/tls_settings.hpp"

namespace sluice::dedup {
namespace {

void trust(SSL_CTX& context, const std::string& ca_file) {
    const bool trusts = ca_file.empty() ? SSL_CTX_set_default_verify_paths(&context) == 1
                                        : SSL_CTX_load_verify_file(&context, ca_file.c_str()) == 1;
    if (!trusts) throw config::Refused{std::format("redis.tls: cannot use the certificates of {}", ca_file)};
}

SslContext read(const config::Tls& tls) {
    SslContext context{SSL_CTX_new(TLS_client_method())};
    if (!context) throw config::Refused{"redis.tls: OpenSSL cannot create a context"};
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    trust(*context, tls.ca_file);
    if (!tls.cert_file.empty() &&
        SSL_CTX_use_certificate_chain_file(context.get(), tls.cert_file.c_str()) != 1)
        throw config::Refused{std::format("redis.tls: cannot use the certificate {}", tls.cert_file)};
    if (!tls.key_file.empty() &&
        SSL_CTX_use_PrivateKey_file(context.get(), tls.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
        throw config::Refused{std::format("redis.tls: cannot use the key {}", tls.key_file)};
    // OpenSSL takes a key of another kind than the certificate's.
    if (!tls.cert_file.empty() && SSL_CTX_check_private_key(context.get()) != 1)
        throw config::Refused{
            std::format("redis.tls: the key {} is not that of {}", tls.key_file, tls.cert_file)};
    return context;
}

}  // namespace

RedisTls::RedisTls(const config::RedisSettings& settings, Log& log)
    : settings_{settings},
      log_{log},
      tried_{config::fingerprint_of(settings.tls)},
      context_{read(settings.tls)} {}

void RedisTls::renew() {
    std::string now = config::fingerprint_of(settings_.tls);
    if (now == tried_) return;
    tried_ = std::move(now);
    try {
        context_ = read(settings_.tls);
    } catch (const config::Refused& refused) {
        // Certificate and key are swapped one after the other. The next attempt sees the second.
        log_.warn("redis_certificate_unusable", {{"why", std::string_view{refused.what()}}});
    }
}

Ssl RedisTls::session(const std::string& host) {
    renew();
    Ssl ssl{SSL_new(context_.get())};
    if (!ssl || SSL_set1_host(ssl.get(), host.c_str()) != 1) return nullptr;
    std::string server_name = host;
    SSL_ctrl(ssl.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, server_name.data());
    return ssl;
}

}  // namespace sluice::dedup
