#pragma once

#include <functional>
#include <map>
#include <string>

#include "command/http/callers.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::command {

/// New callers without a restart, on a signal or when the configuration or one of the secrets of its
/// `callers` has other content. Commands stay as they are. A file that cannot be used keeps the callers in
/// use, is logged once, and sets sluice_config_reload_failed to 1; so does one that gives a caller another
/// principal than before, since all its keys would be new ones. The main thread's.
class CallersReload {
public:
    struct File {
        std::string name;
        std::string fingerprint;  ///< taken before the file was read that is in use
        /// Reads it again; throws config::Refused with all that is wrong.
        std::function<CallerSet()> read;
    };

    /// `use` takes over what was read; called from `force` and `check`.
    CallersReload(File file, const CallerSet& in_use, std::function<void(const CallerSet&)> use, Log& log,
                  Metrics& metrics);

    void check();  ///< reloads when something changed
    void force();  ///< reloads in any case

private:
    void reload();
    void refuse_other_principals(const CallerSet& callers);

    File file_;
    std::function<void(const CallerSet&)> use_;
    Log& log_;
    Gauge& failed_;
    std::map<std::string, std::string> principals_;  // by name, of every caller that there was
    std::string tried_;                              // fingerprint of what was read last, good or bad
};

}  // namespace sluice::command
