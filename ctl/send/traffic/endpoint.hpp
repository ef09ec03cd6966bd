#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/config/settings/connections.hpp"

namespace sluice::ctl {

/// Where sample traffic goes.
struct Endpoint {
    std::string origin;  ///< "http://127.0.0.1:8080"
    std::string host;
    std::string path;  ///< "/v1/webhooks/stripe-eu", with the query if the URL has one
};

/// `url` is a whole URL, or one without a path that gets `source_path`. Throws Stopped(usage).
[[nodiscard]] Endpoint endpoint_from_url(const std::string& url, const std::string& source_path);

/// The address that the ingress listens on; where it listens on all, the loopback one.
[[nodiscard]] std::string url_of(const config::ListenSettings& listen);

/// 127.0.0.0/8, ::1 and localhost, by their text; no name is looked up.
[[nodiscard]] bool is_loopback(std::string_view host);

}  // namespace sluice::ctl
