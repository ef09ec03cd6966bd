#pragma once

#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "common/config/problems.hpp"
#include "common/version.hpp"

namespace sluice {

/// The end of a program's main: parses the command line, calls `run` and returns its status; 2 where the
/// command line or the configuration is wrong, 1 for anything else that is thrown. Both are said on stderr.
template <class Run>
[[nodiscard]] int run_program(CLI::App& app, int argc, char** argv, Run run) {
    app.set_version_flag("--version", version);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        return run();
    } catch (const config::Refused& refused) {
        std::cerr << refused.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << app.get_name() << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace sluice
