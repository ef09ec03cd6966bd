#pragma once

#include <string>
#include <vector>

#include "consumer/command/signature.hpp"
#include "ctl/console.hpp"

namespace sluice::ctl {

/// The key that signs what this operator asks for: the first that is theirs, else the first that is nobody's.
/// Null where there are none, with a warning. Throws Stopped(usage) where all are other operators'.
[[nodiscard]] const command::OperatorKey* signing_key(const std::vector<command::OperatorKey>& keys,
                                                      const std::string& operator_name, Console& console);

}  // namespace sluice::ctl
