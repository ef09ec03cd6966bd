#pragma once

#include "ctl/cli/console.hpp"
#include "ctl/operate/operate_options.hpp"

namespace sluice::ctl {

/// Acts on entries as `options` name them: shows the plan, or sends the commands and waits for the answers.
/// Throws Stopped.
[[nodiscard]] Exit operate(store::ActionKind action, const OperateOptions& options, Console& console);

}  // namespace sluice::ctl
