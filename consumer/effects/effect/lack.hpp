#pragma once

#include <string>

namespace sluice::effects {

/// What an effect lacks on the server, and may yet get: a table, a column or a right.
struct Lack {
    std::string sentence;   ///< with file and line
    bool is_right = false;  ///< of the account that asked; another account may have it
    std::string effect{};
};

}  // namespace sluice::effects
