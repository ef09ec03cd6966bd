#include "ingress/sources_reload.hpp"

#include <utility>

#include "ingress/config.hpp"
#include "ingress/config_fingerprint.hpp"

namespace sluice::ingress {

SourcesReload::SourcesReload(std::string file, std::string fingerprint,
                             std::function<void(const verify::SourceSet&)> use, Log& log, Metrics& metrics)
    : file_{std::move(file)},
      use_{std::move(use)},
      log_{log},
      failed_{metrics.gauge("sluice_config_reload_failed", "1 while the configuration file cannot be used")},
      tried_{std::move(fingerprint)} {
    failed_.Set(0);
}

void SourcesReload::check() {
    std::string now = content_fingerprint(file_);
    if (now == tried_) return;
    tried_ = std::move(now);
    reload();
}

void SourcesReload::force() {
    tried_ = content_fingerprint(file_);
    reload();
}

void SourcesReload::reload() {
    try {
        config::Problems problems;
        const verify::SourceSet sources = read_sources_of(file_, problems);
        for (const std::string& warning : problems.warnings())
            log_.warn("config_warning", {{"warning", std::string_view{warning}}});
        use_(sources);
        failed_.Set(0);
        log_.info("config_reloaded", {{"sources", static_cast<std::int64_t>(sources.size())},
                                      {"content", std::string_view{tried_}}});
    } catch (const config::Refused& refused) {
        failed_.Set(1);
        log_.error("config_reload_failed", {{"why", std::string_view{refused.what()}}});
    }
}

}  // namespace sluice::ingress
