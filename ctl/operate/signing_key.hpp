#pragma once

#include <string>

#include "consumer/command/operator_settings.hpp"

namespace sluice::ctl {

/// The key that signs what this operator asks for: the first of theirs, else the first without an operator.
/// Null where there are none. Throws Stopped(usage) where all are other operators'. No other key's secret
/// has to be available.
[[nodiscard]] const command::OperatorSettings::Key* signing_key(const command::OperatorSettings& operators,
                                                                const std::string& operator_name);

}  // namespace sluice::ctl
