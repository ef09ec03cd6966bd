#include "ctl/send/traffic/http_client.hpp"

#include <httplib.h>

#include "common/webhook/http/decision.hpp"
#include "common/webhook/http/header_lookup.hpp"

namespace sluice::ctl {

struct HttpClient::Impl {
    httplib::Client client;
};

HttpClient::HttpClient(const Endpoint& endpoint, Milliseconds timeout, const std::string& ca_file)
    : impl_{new Impl{.client = httplib::Client{endpoint.origin}}} {
    impl_->client.set_keep_alive(true);
    impl_->client.set_tcp_nodelay(true);
    impl_->client.set_follow_location(false);
    impl_->client.set_connection_timeout(timeout);
    impl_->client.set_read_timeout(timeout);
    impl_->client.set_write_timeout(timeout);
    if (!ca_file.empty()) impl_->client.set_ca_cert_path(ca_file);
}

HttpClient::~HttpClient() = default;

HttpClient::Answer HttpClient::post(const OutgoingRequest& request) {
    httplib::Headers fields{{"User-Agent", "sluicectl (sample traffic)"}, {"Accept", "*/*"}};
    std::string content_type;
    for (const auto& [name, value] : request.headers) {
        if (webhook::is_same_name(name, "Content-Type")) {
            content_type = value;
        } else {
            fields.emplace(name, value);
        }
    }
    const auto result = impl_->client.Post(request.target, fields, request.body, content_type);
    if (!result) return {.status = 0, .error = httplib::to_string(result.error())};
    const std::string said = result->get_header_value(std::string{webhook::decision_header});
    return {.status = result->status, .error = {}, .decision = webhook::decision_from(said)};
}

}  // namespace sluice::ctl
