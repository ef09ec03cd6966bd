#pragma once

#include <functional>
#include <string>

#include "common/log.hpp"
#include "common/metrics.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::ingress {

/// New sources without a restart, on a signal or when the configuration or one of the secrets that it
/// refers to has other content (content, not times: Kubernetes swaps links). A configuration that
/// cannot be used keeps the running one, is logged once, and sets sluice_config_reload_failed to 1.
/// The main thread's.
class SourcesReload {
public:
    /// `use` takes over what was read; called from `force` and `check`.
    SourcesReload(std::string file, std::function<void(const verify::SourceSet&)> use, Log& log,
                  Metrics& metrics);

    void check();  ///< reloads when something changed
    void force();  ///< reloads in any case

private:
    void reload();

    std::string file_;
    std::function<void(const verify::SourceSet&)> use_;
    Log& log_;
    Gauge& failed_;
    std::string tried_;  // fingerprint of what was read last, good or bad
};

/// What decides whether something changed: a digest over the file and every secret file that its
/// sources name. Unreadable files count as empty.
[[nodiscard]] std::string content_fingerprint(const std::string& file);

}  // namespace sluice::ingress
