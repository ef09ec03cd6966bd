#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/result.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/set_based/row_space.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {

/// How one change of the configuration is made for many events at once.
struct Target {
    const Change* change = nullptr;
    std::size_t index = 0;   ///< where its rows wait; insertions of the same columns share one
    bool together = false;   ///< false: only one event after the other gives what it gives alone
    std::size_t table = 0;   ///< number of its table
    std::size_t user = 0;    ///< who it is to the table: a space, or such insertions; from 1
    std::size_t space = 0;   ///< of all kinds but insert
    std::size_t number = 0;  ///< of the sum or of the guard in its space
    RowSpace::Columns reads = 0;
    RowSpace::Columns writes = 0;
};

/// What is known of the tables before a batch, made out of the configuration and the database. A change goes
/// together with those of other events only where nothing in the database looks at the single change:
/// - no triggers; but for insert no generated columns and no unique indexes of expressions, for set no CHECKs
/// (they would see sums and last values);
/// - CHECKs only where amounts go to one column alone: then each amount is written by itself, in its turn;
/// - no column written that is in a unique index or a foreign key (rows would be written in another order);
/// - no row inserted or upserted below a parent that this configuration makes or sets as well (the same);
/// - no guard that differs from event to event;
/// - no insert that ends its effect where its row is there, with more behind it.
/// Upserts may go together on tables with CHECKs: each version of a row is written.
struct BatchPlan {
    std::map<const Change*, Target> targets;
    std::vector<SpaceShape> spaces;
    std::size_t tables = 0;
};

[[nodiscard]] std::vector<const Effect*> pointers_to(const EffectSet& set);

[[nodiscard]] Result<BatchPlan> plan_batches(std::span<const Effect* const> effects,
                                             store::Connection& connection);

}  // namespace sluice::effects
