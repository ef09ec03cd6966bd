#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/effects/set_based/change.hpp"
#include "consumer/store/schema/table_facts.hpp"

/// The tables of mirrors: what they are like, and the statement that makes or widens one. Pure.
namespace sluice::effects {

/// A type of a column as a file may give it: a word, its size in parentheses or not, unsigned or not.
/// "VARCHAR(64)", "DECIMAL(20,2)", "BIGINT UNSIGNED".
[[nodiscard]] bool is_column_type(std::string_view text);
/// Of a key that is text: VARCHAR or VARBINARY with a size.
[[nodiscard]] bool is_key_type(std::string_view text);

/// By what the values are, where the file does not say the type. Texts are TEXT and JSON is LONGTEXT, since
/// no event shall park for a long one; texts of a key are VARCHAR(255) and those of `newer` VARBINARY(255),
/// which upserts need (docs/decisions/0097-newest-wins.md).
[[nodiscard]] TableWish wish_of(const Upsert& upsert, std::span<const Parameter> let);

/// What a table lacks of the wish.
struct TablePlan {
    std::string table;
    bool is_missing = false;
    std::vector<std::string> columns{};  ///< that are not there; all of a missing table
    std::string statement{};             ///< CREATE TABLE or ALTER TABLE … ADD COLUMN; empty: nothing to do
    std::vector<std::string> differs{};  ///< "email is varchar(64), and the file says VARCHAR(255)"
};

/// `facts`: nullopt where there is no such table. New columns of a table that is there can be NULL: its rows
/// get their values with the next event. Nothing is added to a table without the key, a column of `newer` or
/// InnoDB: it is another table than the file means. `is_mariadb`: collations have other names there.
[[nodiscard]] TablePlan plan_table(const std::string& table, const TableWish& wish,
                                   const std::optional<store::TableFacts>& facts, bool is_mariadb);

}  // namespace sluice::effects
