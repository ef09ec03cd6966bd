#pragma once

#include <memory>

#include "common/config/settings/tracing_settings.hpp"
#include "common/trace/collector.hpp"

namespace sluice::trace {

/// OTLP over HTTP: one POST per send, on a connection that is kept. Uses libcurl, which librdkafka needs
/// anyway. `clock` outlives it. Throws std::runtime_error where libcurl is not available.
[[nodiscard]] std::unique_ptr<Collector> http_collector(const config::TracingSettings& settings,
                                                        const Clock& clock);

}  // namespace sluice::trace
