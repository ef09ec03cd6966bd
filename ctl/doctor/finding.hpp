#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/problems.hpp"
#include "ctl/cli/exit.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

enum class Level { ok, warn, fail };

/// One line of `sluicectl doctor`. The sentence says what is there and, unless that is well, what would be
/// right.
struct Finding {
    std::string check;  ///< "redis.eviction": what was looked at, a stable name
    Level level = Level::ok;
    std::string sentence;
};

using Findings = std::vector<Finding>;

void append(Findings& findings, Findings more);

/// One finding per problem and warning of a part of the configuration, or one that all is well. What `said`
/// has is left out. Pure.
[[nodiscard]] Findings judge_config(const std::string& part, const config::Problems& problems,
                                    const config::Problems& said = {});

/// How far a server's clock is from ours. A signature's time window is minutes wide, records and inbox
/// rows are compared in seconds: over 2 s is a warning, over 60 s is wrong. Pure.
[[nodiscard]] Finding judge_clock(const std::string& check, WallTime ours, WallTime theirs);

[[nodiscard]] std::string name_of(Level level);

/// `no` when any finding fails; warnings are no failure.
[[nodiscard]] Exit exit_of(const Findings& findings) noexcept;
[[nodiscard]] Json to_json(const Findings& findings);
[[nodiscard]] std::string to_people(const Findings& findings);

}  // namespace sluice::ctl
