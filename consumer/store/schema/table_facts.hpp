#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/check_bounds.hpp"

/// What the database says of a table that users own, for effects that know it only by name.
namespace sluice::store {

struct ColumnFacts {
    enum class Kind { integer, decimal, text, time, other };
    std::string name;
    std::string type;  ///< as in the CREATE TABLE: "int unsigned"
    Kind kind = Kind::other;
    int bytes = 0;      ///< integers: their width
    int precision = 0;  ///< decimals: digits in all
    int scale = 0;      ///< decimals: digits after the point
    bool is_unsigned = false;
    bool nullable = false;
    bool may_be_left_out = false;  ///< an INSERT without it works
    bool is_byte_exact = false;    ///< two values are equal only when their bytes are
};

struct UniqueIndex {
    std::string name;
    std::vector<std::string> columns;  ///< empty names are expressions
};

struct TableFacts {
    std::vector<ColumnFacts> columns;
    std::vector<UniqueIndex> unique;          ///< the primary key among them
    std::vector<std::string> linked_columns;  ///< in a foreign key, of this table or to it
    std::vector<std::string> parents;         ///< the tables that its foreign keys name
    bool rolls_back = false;                  ///< an InnoDB base table
    bool has_checks = false;                  ///< CHECK constraints
    bool has_generated = false;               ///< generated columns
    bool has_triggers = false;                ///< that this account may see (right TRIGGER)
    /// All of its CHECK constraints; nullopt: some of them are others.
    std::optional<std::vector<CheckBound>> bounds;

    /// Names compare as the server does: without case.
    [[nodiscard]] const ColumnFacts* column(std::string_view name) const noexcept;
    /// The name of a unique index with no column outside `columns`; empty without one.
    [[nodiscard]] std::string_view index_within(const std::vector<std::string>& columns) const noexcept;
    [[nodiscard]] bool is_unique_or_linked(std::string_view column) const noexcept;
    /// The server works out values from those of other columns: generated columns, or a unique index of an
    /// expression (MySQL), of which it does not say what it reads.
    [[nodiscard]] bool computes() const noexcept;
};

/// ASCII only, as far as names of tables and columns matter here.
[[nodiscard]] bool same_name(std::string_view one, std::string_view other) noexcept;

/// "`name`"; `name` holds no backtick.
[[nodiscard]] std::string quoted_name(std::string_view name);

/// nullopt when the connection's database has no such table that this account may see.
[[nodiscard]] Result<std::optional<TableFacts>> read_table_facts(Connection& connection,
                                                                 std::string_view table);

}  // namespace sluice::store
