#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/record/source_keys.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::ingress {

/// New sources without a restart, on a signal or when the configuration, one of the secrets that it refers to
/// or a folder of certificates has other content (config_fingerprint.hpp). A configuration that cannot be
/// used keeps the running one, is logged once, and sets sluice_config_reload_failed to 1; so does one that
/// would make keys of events differently from any earlier one of this process, which also sets
/// sluice_ingress_keys_changed. The main thread's.
class SourcesReload {
public:
    /// `fingerprint` was taken before the file was read that is in use: what changed since is noticed.
    /// `keys`: of the sources in use. `use` takes over what was read; called from `force` and `check`.
    SourcesReload(std::string file, std::string fingerprint, std::vector<record::SourceKeys> keys,
                  std::function<void(const webhook::SourceSet&)> use, Log& log, Metrics& metrics);

    void check();  ///< reloads when something changed
    void force();  ///< reloads in any case

private:
    void reload();
    void refuse_other_keys(const webhook::SourceSet& sources);

    std::string file_;
    std::function<void(const webhook::SourceSet&)> use_;
    Log& log_;
    Gauge& failed_;
    Gauge& keys_changed_;
    std::vector<record::SourceKeys> keys_;  // of every path that was in use so far
    std::string tried_;                     // fingerprint of what was read last, good or bad
};

}  // namespace sluice::ingress
