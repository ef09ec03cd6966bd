#pragma once

#include <functional>
#include <memory>
#include <string>

#include "command/program/book_program.hpp"
#include "command/program/program.hpp"
#include "command/program/role.hpp"
#include "common/config/problems.hpp"
#include "common/config/settings/log_settings.hpp"

namespace sluice::command {

/// The program's parts as one file describes them, and what executes.
struct Assembly {
    ServeSettings serve;  ///< of --role book: read_booking
    config::LogSettings log;
    std::unique_ptr<const Commands> commands;  ///< also keeps what `make` refers to
    Program::MakeExecutor make;
    MakeBooker book{};  ///< empty: no command has hot accounts
};

/// Reads the whole file. Throws config::Refused with every problem; warnings are left in `problems`.
using Assemble = std::function<Assembly(const std::string& file, Role role, config::Problems& problems)>;

/// All of main: the command line, and the program until it ends. The process's exit status.
[[nodiscard]] int run_command_line(int argc, char** argv, const Assemble& assemble);

}  // namespace sluice::command
