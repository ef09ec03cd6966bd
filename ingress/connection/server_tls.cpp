#include "ingress/connection/server_tls.hpp"

#include <format>
#include <stdexcept>

namespace sluice::connection {

namespace asio = boost::asio;

namespace {

constexpr unsigned char http_1_1[] = "\x08http/1.1";

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
    unsigned char* match = nullptr;
    const int found =
        SSL_select_next_proto(&match, length, http_1_1, sizeof http_1_1 - 1, offered, offered_length);
    if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = match;
    return SSL_TLSEXT_ERR_OK;
}

void ask_for_clients(SSL_CTX* tls, const ClientTrust& clients) {
    const char* const file = clients.ca_file.c_str();
    STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(file);
    if (names == nullptr || SSL_CTX_load_verify_file(tls, file) != 1)
        throw std::runtime_error{std::format("TLS client_ca {}: no certificates can be read", file)};
    SSL_CTX_set_client_CA_list(tls, names);
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER | (clients.is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       nullptr);
    SSL_CTX_set_options(tls, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(tls, 0);
}

}  // namespace

std::unique_ptr<asio::ssl::context> server_tls(const std::string& cert_file, const std::string& key_file,
                                               const ClientTrust& clients) {
    auto tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
    boost::system::error_code error;
    tls->use_certificate_chain_file(cert_file, error);
    if (error) throw std::runtime_error{std::format("TLS certificate {}: {}", cert_file, error.message())};
    tls->use_private_key_file(key_file, asio::ssl::context::pem, error);
    if (error) throw std::runtime_error{std::format("TLS key {}: {}", key_file, error.message())};
    SSL_CTX* native = tls->native_handle();
    if (SSL_CTX_check_private_key(native) != 1)
        throw std::runtime_error{
            std::format("TLS key {} does not belong to the certificate {}", key_file, cert_file)};
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    // A request says itself how long it is: an end without a word from TLS is one, and needs no alert.
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                    SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_max_early_data(native, 0);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(native, 1);  // one call for a record, its head and its body
    SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);  // tickets resume; nothing is kept here
    SSL_CTX_set_num_tickets(native, 1);
    SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
    if (!clients.ca_file.empty()) ask_for_clients(native, clients);
    return tls;
}

}  // namespace sluice::connection
