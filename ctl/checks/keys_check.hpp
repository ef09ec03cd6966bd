#pragma once

#include "common/config/connections.hpp"
#include "ctl/checks/finding.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::ctl {

/// What the file makes keys of against what MySQL has recorded; nothing where MySQL or its table does not
/// answer, which others say.
[[nodiscard]] Findings check_keys(const config::MysqlSettings& mysql, const verify::SourceSet& sources);

}  // namespace sluice::ctl
