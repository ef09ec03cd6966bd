#include "ctl/doctor/config_checks.hpp"

namespace sluice::ctl {

Findings judge_config(const std::string& part, const config::Problems& problems) {
    Findings findings;
    const std::string check = "config." + part;
    for (const auto& error : problems.errors()) findings.push_back({check, Level::fail, error});
    for (const auto& warning : problems.warnings()) findings.push_back({check, Level::warn, warning});
    if (findings.empty()) findings.push_back({check, Level::ok, "no problems"});
    return findings;
}

}  // namespace sluice::ctl
