#pragma once

#include <string_view>

#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::gate {

/// Names the first rule that a head breaks, in the order of the refusals' contract: line by line, then field
/// by field. For heads that are refused already, since Beast says less and stops at other places; what is
/// read here goes nowhere. `second_opinion` if no rule is broken. `bytes` end in CRLFCRLF. Pure.
[[nodiscard]] Refusal broken_rule(std::string_view bytes);

}  // namespace sluice::gate
