#pragma once

#include <memory>
#include <span>

#include "common/config/problems.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// All upserts of one table have the same key, write the same columns, and say alike what is newer, which
/// column is the tombstone and what a tie is. No other kind makes its rows or writes these columns. Then the
/// newest event decides the whole row, whatever the order in which the events come. Else it is a problem at
/// the later one.
void check_upserts_agree(std::span<const std::unique_ptr<const Effect>> effects, config::Problems& problems);

}  // namespace sluice::effects
