#pragma once

#include <stdexcept>

namespace sluice::poller {

/// Ends a reconciliation before it has looked at all; what it says is for people. Thrown by what it is made
/// of, caught by who runs it.
class BrokenOff : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace sluice::poller
