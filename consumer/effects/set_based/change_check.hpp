#pragma once

#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/store/schema/table_facts.hpp"

namespace sluice::effects {

/// What a change needs of its table and the table does not give, at the change's place in the file: a key
/// that a unique index covers, columns that take the values, a table that rolls back. Pure.
void check_table(const Change& change, std::span<const Parameter> let, const store::TableFacts& facts,
                 const std::string& effect, config::Problems& problems);

}  // namespace sluice::effects
