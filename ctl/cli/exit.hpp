#pragma once

#include <stdexcept>
#include <string>

namespace sluice::ctl {

/// What the shell sees. Documented in each command's help; scripts rely on it.
enum class Exit : int {
    ok = 0,
    no = 1,           ///< the answer is no, or something failed
    usage = 2,        ///< wrong usage or configuration
    unreachable = 3,  ///< a server cannot be reached
};

/// Ends a command: the sentence goes to stderr, the code to the shell. Thrown by commands and by what
/// they call, caught in one place (run.cpp).
class Stopped : public std::runtime_error {
public:
    Stopped(Exit exit, const std::string& sentence) : std::runtime_error{sentence}, exit_{exit} {}
    [[nodiscard]] Exit exit() const noexcept { return exit_; }

private:
    Exit exit_;
};

}  // namespace sluice::ctl
