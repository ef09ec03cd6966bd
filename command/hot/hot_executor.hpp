#pragma once

#include <memory>

#include "command/config/command_set.hpp"
#include "command/config/line_settings.hpp"
#include "command/execute/executor.hpp"
#include "command/process/around.hpp"

namespace sluice::command {

/// Gives commands of hot accounts to Kafka, and all others to `inner`, which owns their execution. A look-up
/// of a key that has no row says absent only when the command can be in Kafka no longer. Kafka's trouble is
/// in readiness ("hot") as degraded: accounts that are not hot need no Kafka. All but `inner` outlive it.
/// Throws config::Refused for settings that librdkafka refuses.
[[nodiscard]] std::unique_ptr<Executor> make_hot_executor(std::unique_ptr<Executor> inner,
                                                          const CommandSet& set, const LineSettings& line,
                                                          const ExecutionSettings& settings,
                                                          const Around& around);

}  // namespace sluice::command
