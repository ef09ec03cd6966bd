#pragma once

#include "common/config/settings/connections.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// What the file makes keys of against what MySQL has recorded; nothing where MySQL or its table does not
/// answer, which others say.
[[nodiscard]] Findings check_keys(const config::MysqlSettings& mysql, const webhook::SourceSet& sources);

}  // namespace sluice::ctl
