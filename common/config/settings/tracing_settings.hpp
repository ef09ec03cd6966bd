#pragma once

#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"

namespace sluice::config {

/// A header of each request to the collector, for collectors that want a token.
struct TracingHeader {
    std::string name;
    Secret value;
};

/// `tracing: {endpoint: "http://HOST:4318/v1/traces", ratio: 0.01, tls: {ca: {file: …}},
/// headers: [{name: Authorization, value: {file: …}}]}`
struct TracingSettings {
    std::string endpoint;  ///< empty: off
    double ratio = 0.01;   ///< of traces that begin with us; errors and dead letters are always reported
    Tls tls;
    std::vector<TracingHeader> headers{};

    [[nodiscard]] bool enabled() const noexcept { return !endpoint.empty(); }
};

/// The values of headers are resolved at once.
[[nodiscard]] TracingSettings read_tracing(const Document& document, Problems& problems);

}  // namespace sluice::config
