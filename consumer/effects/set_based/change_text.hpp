#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "consumer/effects/set_based/change.hpp"
#include "consumer/store/driver/connection.hpp"

/// The statements behind insert, add, set and upsert. Pure. Rows of a statement stand one after the other;
/// the order of the parameters is said at each.
namespace sluice::effects {

/// Rows of one table by the columns of a unique key.
struct KeyedTable {
    std::string table;
    std::vector<std::string> keys;
    std::string index;  ///< to be used against the optimizer's choice; empty: its choice
};

/// nullptr for `insert`, which has none.
[[nodiscard]] const std::vector<Cell>* key_of(const Change& change);
[[nodiscard]] KeyedTable keyed_table(const Change& change);

/// "INSERT … VALUES" and the parentheses of one row, of `insert` and `upsert`. Of the latter the key's
/// columns stand first.
[[nodiscard]] std::string insert_head(const Change& change);
[[nodiscard]] std::string insert_row(const Change& change);

/// Locks rows: the key columns, then `outputs`. Parameters: those of `outputs`, then the keys.
[[nodiscard]] std::string lock_text(const KeyedTable& table, std::span<const std::string> outputs,
                                    std::size_t rows);

/// Whether all guards hold, as an expression that is 1 then. Parameters: the guards' values in order. NULL
/// is a value like another.
[[nodiscard]] std::string guard_text(const Assignment& assignment);

/// One row: amount, key. Several: key and amount of each, then the keys.
[[nodiscard]] std::string add_text(const KeyedTable& table, const std::string& column, std::size_t rows);

/// UPDATE with a CASE over the keys: exact for any other columns, defaults, indexes and collations of the
/// table, which INSERT … ON DUPLICATE KEY UPDATE and joins with a table of values are not. The server walks
/// the CASE row by row, so that long ones cost the square of their rows: 32 was the cheapest on MySQL 9.7 and
/// MariaDB 11.8, and cheaper than either.
inline constexpr std::array<std::size_t, 4> update_sizes{1, 4, 16, 32};

/// Whether a constant of the configuration is the same in all rows of a statement.
enum class Constants { shared, by_row };

/// One row: the values, then the key. Several: for each column its shared constant, or key and value of each
/// row; then the keys.
[[nodiscard]] std::string set_text(const KeyedTable& table, std::span<const Cell> row, std::size_t rows,
                                   Constants constants = Constants::shared);

/// One row, when its guards hold. Parameters: the values, the key, the guards' values.
[[nodiscard]] std::string set_guarded_text(const KeyedTable& table, const Assignment& assignment);

}  // namespace sluice::effects
