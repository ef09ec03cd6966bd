#pragma once

#include <istream>
#include <ostream>

#include "common/clock.hpp"
#include "ctl/cli/exit.hpp"

namespace sluice::ctl {

/// What a command works with: answers go to `out`, progress and complaints to `err`. Tests pass
/// strings and their own clock.
struct Console {
    std::ostream& out;
    std::ostream& err;
    const Clock& clock;
    bool err_is_terminal = false;  ///< progress may rewrite its line
    std::istream* in = nullptr;    ///< a terminal to ask on; none: no person is there
    Exit exit = Exit::ok;          ///< set by the command that ran
};

}  // namespace sluice::ctl
