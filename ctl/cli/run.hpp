#pragma once

#include <string>
#include <vector>

#include "ctl/cli/console.hpp"

namespace sluice::ctl {

/// The whole program but for the process around it: parses, runs one command, says on `console.err`
/// what went wrong. `arguments` are without the program's name. Throws nothing.
[[nodiscard]] Exit run(std::vector<std::string> arguments, Console& console);

}  // namespace sluice::ctl
