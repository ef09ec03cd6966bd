#pragma once

#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/record/event_record.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::effects {

/// How one change ended.
struct Made {
    Outcome outcome = Outcome::done;
    std::error_code error;           ///< of the database or of a value
    std::string why;                 ///< unless done; no data of the event
    const Ending* ending = nullptr;  ///< the rule that says so; it lives as long as the change
    bool is_stale = false;           ///< of upsert: the row was as new, or newer
};

/// What each outcome of a change says of itself.
inline constexpr std::string_view row_is_missing = "no row has this key";
inline constexpr std::string_view row_is_there = "a row with this key is there already";
inline constexpr std::string_view sum_is_below = "the sum would be below the floor";
inline constexpr std::string_view guard_is_not_met = "when does not hold for the row";
inline constexpr std::string_view row_is_newer = "the row is newer than the event";
inline constexpr std::string_view row_is_as_new = "the row is as new as the event";
inline constexpr std::string_view row_is_deleted = "the row is deleted, and the event does not delete it";

/// One change for one event, by statements for it alone, inside the caller's transaction.
[[nodiscard]] Made make_change(const Change& change, const EventValues& event, store::Connection& connection);

/// A statement or a value failed.
[[nodiscard]] Made made_nothing(std::error_code error);

/// As a rule of the change says.
[[nodiscard]] Made ended_with(const Ending& ending, std::string_view why);

/// A key with a NULL in it, of a row that would be made.
[[nodiscard]] Made made_without_key();

/// An inserted row was there already: what its `duplicate` says, a park that is no case being the server's
/// own error.
[[nodiscard]] Made made_duplicate(const Ending& duplicate);

/// The values of a row or key; errc::out_of_range. Appends to `out`.
[[nodiscard]] std::error_code append_values(std::span<const Cell> cells, const EventValues& event,
                                            std::vector<store::Datum>& out);

/// The amount of an addition: errc::out_of_range.
[[nodiscard]] Result<std::int64_t> amount_of(const Addition& addition, const EventValues& event);

}  // namespace sluice::effects
