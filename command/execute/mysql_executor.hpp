#pragma once

#include <memory>

#include "command/config/command_set.hpp"
#include "command/execute/executor.hpp"
#include "command/process/around.hpp"

namespace sluice::command {

/// Executes the commands of `set` on MySQL, each in one transaction with its key and its response. Threads of
/// its own: workers, one that tells who has waited for long enough, and one that deletes what is kept no
/// longer. Concerns of readiness: `mysql`, and `commands` until the server takes all their statements.
/// Destroyed, it turns away what waits (`unavailable`) and finishes what has begun, each within the time of
/// its effect. All outlive it.
[[nodiscard]] std::unique_ptr<Executor> make_executor(const CommandSet& set,
                                                      const ExecutionSettings& settings,
                                                      const Around& around);

}  // namespace sluice::command
