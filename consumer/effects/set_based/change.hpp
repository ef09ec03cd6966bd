#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/effect/when.hpp"
#include "consumer/effects/outcome/ending.hpp"
#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// A column and its value.
struct Cell {
    std::string column;
    Operand value;
    config::Place place;
};

/// `insert`: one row.
struct Insertion {
    std::vector<Cell> row;
    Ending duplicate{};       ///< the row's key is there already (1062)
    bool is_message = false;  ///< of `send`: a row of the outbox
};

/// `add`: an amount onto a column of the row with this key.
struct Addition {
    std::vector<Cell> key;
    std::string column;
    Operand by;                         ///< an int64
    std::optional<std::int64_t> floor;  ///< the sum must not be below
    Ending below{};
    Ending missing{};
};

/// A column and the values that it may have.
struct Guard {
    std::string column;
    std::vector<Operand> any_of;
    config::Place place;
};

/// `set`: columns of the row with this key, when all guards hold.
struct Assignment {
    std::vector<Cell> key;
    std::vector<Cell> row;
    std::vector<Guard> when;
    Ending otherwise{};  ///< a guard does not hold
    Ending missing{};
};

/// A column as a `mirror` would have it.
struct ColumnWish {
    std::string name;
    std::string type;       ///< SQL; of a key that is text without its collation
    bool is_given = false;  ///< the file says the type
    bool nullable = true;
};

/// The table of a `mirror`: `sluicectl migrate --effects` makes and widens it.
struct TableWish {
    std::vector<ColumnWish> columns;  ///< those of the key first
    std::size_t keys = 0;             ///< how many of them are the primary key
};

/// `upsert` and `mirror`: the row with this key, made or changed by the newest event. The effects of one
/// table write the same columns (upserts_agree.hpp), so that the newest event decides all of them.
struct Upsert {
    std::vector<Cell> key;
    std::vector<Cell> row;            ///< every other column that is written: `newer` and the tombstone too
    std::vector<Cell> newer;          ///< what says how new an event is; the first that differs decides
    std::string tombstone{};          ///< the column that is NULL in rows that are not deleted; empty: none
    bool deletes = false;             ///< `row` sets the tombstone
    bool is_deleted_by_type = false;  ///< but not for all events: those of other types have NULL for it
    bool replaces_ties = false;       ///< an event that is as new as the row is written
    Ending tie{Outcome::ignore};      ///< else
    Ending stale{Outcome::ignore};    ///< the row is newer, or deleted
    std::optional<TableWish> wish{};  ///< of a `mirror`
};

/// One set-based part of an effect. Columns of keys, of inserted and of upserted rows stand sorted by name.
struct Change {
    config::Place place;
    std::string table;
    std::variant<Insertion, Addition, Assignment, Upsert> what;

    [[nodiscard]] std::string_view kind() const noexcept {
        constexpr std::string_view names[] = {"insert", "add", "set", "upsert"};
        const auto* insertion = std::get_if<Insertion>(&what);
        if (insertion != nullptr && insertion->is_message) return "send";
        const auto* upsert = std::get_if<Upsert>(&what);
        return upsert != nullptr && upsert->wish ? "mirror" : names[what.index()];
    }
};

inline constexpr std::string_view set_based_kinds[] = {"insert", "add", "set", "upsert", "mirror"};

/// Reads the set-based kinds of an effect's section, in the order in which they stand in the file. What is
/// wrong goes to the section's problems; what comes back then is good for finding more of them only.
[[nodiscard]] std::vector<Change> read_changes(config::Section& section, NameScope& names, const When& when);

}  // namespace sluice::effects
