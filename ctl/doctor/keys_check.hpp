#pragma once

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// Compares what the file makes keys of with what MySQL has recorded; nothing where MySQL or its table does
/// not answer, which other checks report.
[[nodiscard]] Findings check_keys(const config::MysqlSettings& mysql, const webhook::SourceSet& sources);

}  // namespace sluice::ctl
