#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "consumer/effects/set_based/change.hpp"
#include "consumer/store/driver/connection.hpp"

/// The statements behind insert, add and set. Pure. Rows of a statement stand one after the other; the order
/// of the parameters is said at each.
namespace sluice::effects {

/// Rows of one table by the columns of a unique key.
struct KeyedTable {
    std::string table;
    std::vector<std::string> keys;
    std::string index;  ///< to be used against the optimizer's choice; empty: its choice
};

[[nodiscard]] KeyedTable keyed_table(const Change& change);

/// "INSERT … VALUES" and the parentheses of one row.
[[nodiscard]] std::string insert_head(const Change& change);
[[nodiscard]] std::string insert_row(const Insertion& insertion);

/// Locks rows: the key columns, then `outputs`. Parameters: those of `outputs`, then the keys.
[[nodiscard]] std::string lock_text(const KeyedTable& table, std::span<const std::string> outputs,
                                    std::size_t rows);

/// Whether all guards hold, as an expression that is 1 then. Parameters: the guards' values in order. NULL
/// is a value like another.
[[nodiscard]] std::string guard_text(const Assignment& assignment);

/// One row: amount, key. Several: key and amount of each, then the keys.
[[nodiscard]] std::string add_text(const KeyedTable& table, const std::string& column, std::size_t rows);

/// One row: the values, then the key. Several: for each column its constant, or key and value of each row;
/// then the keys.
[[nodiscard]] std::string set_text(const KeyedTable& table, const Assignment& assignment, std::size_t rows);

}  // namespace sluice::effects
