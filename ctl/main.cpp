#include <csignal>
#include <iostream>

#include <unistd.h>

#include "ctl/cli/run.hpp"

int main(int count, char** values) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed connection is an error code, not the end
    const sluice::SystemClock clock;
    sluice::ctl::Console console{.out = std::cout,
                                 .err = std::cerr,
                                 .clock = clock,
                                 .err_is_terminal = isatty(STDERR_FILENO) == 1,
                                 .in = isatty(STDIN_FILENO) == 1 ? &std::cin : nullptr};
    return static_cast<int>(sluice::ctl::run({values + 1, values + count}, console));
}
