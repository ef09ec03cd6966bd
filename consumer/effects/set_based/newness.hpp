#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/clock.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/set_based/one_by_one.hpp"
#include "consumer/store/driver/connection.hpp"

/// Which of two states of a row is the newer one. Pure, and the same for one event and for a batch: the
/// database is never asked, so the columns must give back what they were given
/// (docs/decisions/0097-newest-wins.md).
namespace sluice::effects {

/// A value of a `newer` column.
using Mark = std::variant<std::int64_t, WallTime, std::string>;

/// How new a state of a row is: deleted ones are newer than all others, then the marks decide in order.
struct Newness {
    bool is_deleted = false;
    std::vector<Mark> marks;

    bool operator==(const Newness&) const = default;
};

/// How an event stands to the row: it is written where it is newer, or where a tie is.
enum class Precedence {
    newer,
    tie,    ///< the row is as new
    stale,  ///< the row is newer
};

/// Of the event. A value that is missing or NULL parks.
[[nodiscard]] std::expected<Newness, Made> newness_of(const Upsert& upsert, const EventValues& event);

/// The columns to read of a row: its marks, then whether it is deleted.
[[nodiscard]] std::vector<std::string> newness_columns(const Upsert& upsert);

/// Of a row's such columns; nullopt where one holds what no mark is.
[[nodiscard]] std::optional<Newness> newness_of(std::span<const store::OwnedDatum> row);

/// `row`: nullptr where there is none. nullopt where the two do not compare: the table is not what we think.
[[nodiscard]] std::optional<Precedence> precedence_of(const Upsert& upsert, const Newness& event,
                                                      const Newness* row);

/// What a tie and a stale event come to.
[[nodiscard]] Made made_outdated(const Upsert& upsert, Precedence precedence, const Newness& event,
                                 const Newness& row);

/// Two newnesses of one upsert did not compare.
[[nodiscard]] Made made_incomparable();

}  // namespace sluice::effects
