#include "ingress/config/sources_reload.hpp"

#include <algorithm>
#include <utility>

#include "common/webhook/source_file/key_derivation.hpp"
#include "ingress/config/config.hpp"
#include "ingress/config/config_fingerprint.hpp"

namespace sluice::ingress {

SourcesReload::SourcesReload(std::string file, std::string fingerprint, std::vector<record::SourceKeys> keys,
                             std::function<void(const webhook::SourceSet&)> use, Log& log, Metrics& metrics)
    : file_{std::move(file)},
      use_{std::move(use)},
      log_{log},
      failed_{metrics.gauge("sluice_config_reload_failed",
                            "1 while the configuration file cannot be used and the old one is kept")},
      keys_changed_{
          metrics.gauge("sluice_ingress_keys_changed",
                        "1 while the file would make the keys of events in another way than before")},
      keys_{std::move(keys)},
      tried_{std::move(fingerprint)} {
    failed_.Set(0);
    keys_changed_.Set(0);
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
        const webhook::SourceSet sources = read_sources_of(file_, problems);
        for (const std::string& warning : problems.warnings())
            log_.warn("config_warning", {{"warning", std::string_view{warning}}});
        refuse_other_keys(sources);
        use_(sources);
        failed_.Set(0);
        log_.info("config_reloaded", {{"sources", static_cast<std::int64_t>(sources.size())},
                                      {"content", std::string_view{tried_}}});
    } catch (const config::Refused& refused) {
        failed_.Set(1);
        log_.error("config_reload_failed", {{"why", std::string_view{refused.what()}}});
    }
}

void SourcesReload::refuse_other_keys(const webhook::SourceSet& sources) {
    const auto now = webhook::keys_of(sources);
    const auto changes = record::changed_keys(keys_, now);
    keys_changed_.Set(changes.empty() ? 0 : 1);
    if (!changes.empty()) throw config::Refused{record::keys_changed(changes)};
    for (const record::SourceKeys& one : record::news_of(keys_, now)) {
        std::erase_if(keys_, [&one](const auto& known) { return known.path == one.path; });
        keys_.push_back(one);
    }
}

}  // namespace sluice::ingress
