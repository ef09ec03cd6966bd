#pragma once

#include <string>
#include <vector>

#include "consumer/store/inbox/past_events.hpp"
#include "ctl/cli/options.hpp"
#include "ctl/operate/run_options.hpp"

namespace sluice::ctl {

/// The options of event rerun.
struct RerunOptions {
    CommonOptions common;
    std::vector<std::string> names;  ///< events, by their provider's id; none: the filter
    std::string effect;
    std::string status;
    std::string source;
    std::string type;
    std::string object;
    std::string since;
    std::string until;
    bool everything = false;
    RunOptions run;
};

void add_rerun_options(CLI::App& command, RerunOptions& options);

/// Throws Stopped(usage): neither names nor a filter, both, no such rate or status, no run of ours.
void refuse_unless_sound(const RerunOptions& options);

/// Throws Stopped(usage) for a status or a time that is none.
[[nodiscard]] store::PastFilter filter_of(const RerunOptions& options, WallTime now);

}  // namespace sluice::ctl
