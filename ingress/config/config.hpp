#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/log_settings.hpp"
#include "common/config/settings/tracing_settings.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ingress/connection/proxy.hpp"

namespace sluice::ingress {

/// Everything sluice-ingress reads: sections listen, operations, kafka, redis, callbacks, spill, sources,
/// recipes, log, tracing.
struct Config {
    config::ListenSettings listen;
    config::OperationsSettings operations;
    config::KafkaSettings kafka;
    config::RedisSettings redis;
    config::CallbackSettings callbacks;
    config::SpillSettings spill;
    webhook::SourceSet sources;
    config::LogSettings log;
    config::TracingSettings tracing{};
    std::vector<std::string> unread{};  ///< sections of the file that only the consumer judges
    std::string fingerprint{};          ///< content_fingerprint before anything was read
};

/// Throws config::Refused with every problem. Warnings are left in `problems`.
[[nodiscard]] Config read_config(const std::string& file, config::Problems& problems);

/// The sources alone, as a reload reads them. Throws config::Refused.
[[nodiscard]] webhook::SourceSet read_sources_of(const std::string& file, config::Problems& problems);

[[nodiscard]] connection::TrustedProxies trusted_proxies(const config::ListenSettings& listen);

}  // namespace sluice::ingress
