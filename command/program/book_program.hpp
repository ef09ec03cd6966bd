#pragma once

#include <functional>
#include <memory>

#include "command/program/program.hpp"
#include "common/config/settings/connections.hpp"
#include "common/stop_signal.hpp"
#include "common/telemetry/log.hpp"

namespace sluice::command {

/// Makes what books; destroyed, it ends what it has begun.
using MakeBooker = std::function<std::shared_ptr<void>(const Surroundings&)>;

/// Books until a stop signal: what books, and the operations port, of one process that takes no requests.
/// What it has begun has 30 s to end; then the process ends with status 1, and it is read again. The
/// process's exit status. Throws std::runtime_error that names what could not be used.
[[nodiscard]] int run_booking(const config::OperationsSettings& operations, const MakeBooker& make, Log& log,
                              StopSignal& signal);

}  // namespace sluice::command
