#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "ctl/send/signing/outgoing_request.hpp"
#include "ctl/send/traffic/endpoint.hpp"

namespace sluice::ctl {

/// One kept connection to an endpoint; opened again when the server closes it. Blocking, one thread.
class HttpClient {
public:
    struct Answer {
        int status = 0;               ///< 0: none came
        std::string error;            ///< why
        std::string_view decision{};  ///< one of webhook::decisions; empty where it says none
    };

    HttpClient(const Endpoint& endpoint, Milliseconds timeout, const std::string& ca_file);
    ~HttpClient();

    /// Follows no redirects.
    [[nodiscard]] Answer post(const OutgoingRequest& request);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::ctl
