#pragma once

#include "common/config/section.hpp"
#include "consumer/lane/rules/after_attempt.hpp"

namespace sluice::effects {

/// What an effect of any kind asks for when it does not succeed: the keys `retry`, `defer`, `while_deferred`
/// and `after_dead` of its section. What is not given is as lane::Policy has it. Problems name file and line,
/// as those of the other keys do.
[[nodiscard]] lane::Policy read_policy(config::Section& effect);

}  // namespace sluice::effects
