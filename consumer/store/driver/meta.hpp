#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

/// Rows of sluice_meta: what this database belongs to and what maintenance has promised.
namespace sluice::store {

namespace meta {
inline constexpr std::string_view consumer_group = "consumer_group";
inline constexpr std::string_view dropped_before = "dropped_before";  ///< a day, 2026-08-24
inline constexpr std::string_view undated_swept = "undated_swept";    ///< when the last whole sweep ended
inline constexpr std::string_view dead_letters_cleared =
    "dead_letters_cleared";                             ///< bodies of entries closed before it are gone
inline constexpr std::string_view effects = "effects";  ///< see consumer/store/schema/effects_version.hpp
inline constexpr std::string_view effects_put = "effects.";  ///< then a revision: who put it in force, why
inline constexpr std::string_view keys = "keys";             ///< empty: locked to write source_keys
inline constexpr std::string_view partitions_of = "partitions.";  ///< then a topic's id: how many
}  // namespace meta

struct MetaValue {
    std::string text;
    WallTime written_at;
};

[[nodiscard]] Result<std::optional<MetaValue>> read_meta(Connection& connection, std::string_view name);

/// Insert only; false when the row is there already. Outside a transaction.
[[nodiscard]] Result<bool> insert_meta_once(Connection& connection, std::string_view name,
                                            std::string_view text, WallTime now);

/// Replace only; false when the row is gone or says something else than `expected`.
[[nodiscard]] Result<bool> replace_meta(Connection& connection, std::string_view name,
                                        std::string_view expected, std::string_view text, WallTime now);

/// Locks an existing row until the transaction ends. Others wait here for as long as their sessions wait for
/// locks.
[[nodiscard]] Result<void> lock_meta(Connection& connection, std::string_view name);

/// Insert or replace.
[[nodiscard]] Result<void> write_meta(Connection& connection, std::string_view name, std::string_view text,
                                      WallTime now);

}  // namespace sluice::store
