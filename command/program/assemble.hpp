#pragma once

#include "command/program/command_line.hpp"

namespace sluice::command {

/// As Assemble: what executes does so on MySQL.
[[nodiscard]] Assembly assemble_on_mysql(const std::string& file, Role role, config::Problems& problems);

}  // namespace sluice::command
