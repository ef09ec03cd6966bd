#pragma once

#include <cstddef>

namespace sluice::command {

/// How much is taken at once.
struct RequestBounds {
    std::size_t max_body = 64UL * 1024;  ///< bytes
    int max_in_flight = 1024;            ///< requests that the executor has and has not answered
};

}  // namespace sluice::command
