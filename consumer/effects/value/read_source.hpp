#pragma once

#include "common/config/section.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::effects {

/// Adds to `parameter` what one entry of its `let` says: a JSON pointer, or a mapping with `pointer` (one, or
/// a list), `header`, `event` or `value`, and how it is converted. Only the `last` one may say what is there
/// instead. What is wrong, also a constant that its own `as` does not take, goes to the value's problems.
void read_source(const config::Value& value, Parameter& parameter, bool last, bool has_payment);

}  // namespace sluice::effects
