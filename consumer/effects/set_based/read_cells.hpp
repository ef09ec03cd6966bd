#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/outcome/ending.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/value/name_scope.hpp"

/// What the set-based kinds have in common in the configuration. What is wrong goes to the section's
/// problems.
namespace sluice::effects {

inline constexpr std::initializer_list<Outcome> all_but_done{Outcome::ignore, Outcome::defer, Outcome::retry,
                                                             Outcome::park};

/// How the values of columns are written.
enum class Values {
    named,           ///< :name, -:name, text, a number or null (read_operand)
    placed,          ///< :name, or where the event has it: a JSON pointer, or what an entry of `let` may be
    placed_or_null,  ///< the same; what is missing is NULL
};

/// Of a table or a column.
[[nodiscard]] bool is_name(std::string_view name);

/// Of a mapping `key`: {column: value}, at least one, no column twice.
[[nodiscard]] std::vector<std::pair<config::Value, config::Value>> columns_of(config::Section& section,
                                                                              std::string_view key);

[[nodiscard]] Cell read_cell(const config::Value& column, const config::Value& value, NameScope& names,
                             Values values);

/// As columns_of, the values read.
[[nodiscard]] std::vector<Cell> read_cells(config::Section& section, std::string_view key, NameScope& names,
                                           Values values = Values::named);

/// `key`: the columns by which a row is found, sorted by name.
[[nodiscard]] std::vector<Cell> read_key(config::Section& section, NameScope& names,
                                         Values values = Values::named);

/// The outcome at `key`; `otherwise` where it is not given.
[[nodiscard]] Ending read_ending_at(config::Section& section, std::string_view key,
                                    std::initializer_list<Outcome> allowed, NameScope& names,
                                    Ending otherwise = {});

}  // namespace sluice::effects
