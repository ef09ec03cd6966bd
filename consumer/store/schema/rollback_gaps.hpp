#pragma once

#include <string>
#include <string_view>

#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// Whether a statement that changes `tables` (their names as it writes them, with aliases) may change what a
/// ROLLBACK does not take back: a table of another engine than InnoDB, or one that a trigger on them names.
/// An event would be applied twice there when its transaction is run again. The sentence that says so, or
/// empty. Triggers are seen where this account has the right TRIGGER; tables of other databases are not
/// looked at.
[[nodiscard]] Result<std::string> rollback_gap(Connection& connection, std::string_view tables);

}  // namespace sluice::store
