#pragma once

#include <string>

#include "common/config/connections.hpp"

namespace sluice::config {

/// `tracing: {endpoint: "http://HOST:4318/v1/traces", ratio: 0.01, tls: {ca: {file: …}}}`
struct TracingSettings {
    std::string endpoint;  ///< empty: off
    double ratio = 0.01;   ///< of traces that begin with us; errors and dead letters are always told
    Tls tls;

    [[nodiscard]] bool enabled() const noexcept { return !endpoint.empty(); }
};

[[nodiscard]] TracingSettings read_tracing(const Document& document);

}  // namespace sluice::config
