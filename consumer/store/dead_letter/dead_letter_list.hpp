#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/inbox/of_payment.hpp"

/// Many entries of dead_letter, for people. No locks; a list is as of when its page was read.
namespace sluice::store {

/// Which entries; what is not set does not narrow. Texts are compared byte for byte.
struct DeadLetterFilter {
    enum class Which { open, closed, any };
    Which which = Which::open;
    std::optional<DeadLetterKind> kind{};
    std::optional<std::string> source{};
    std::optional<std::string> type{};
    std::optional<std::string> object_key{};
    std::optional<std::string> error_class{};
    std::optional<std::string> effect{};  ///< that decided so, as the error's text names it
    std::optional<std::string> event_id{};
    std::optional<std::string> topic{};  ///< of a message, its destination
    std::optional<WallTime> since{};     ///< opened then or later
    std::optional<WallTime> until{};     ///< opened earlier
    NumbersAsked numbers{};
    std::string text{};  ///< part of the error's text or the event's id; Latin letters of any case
    std::int64_t above_id = 0;
    std::int64_t highest_id = std::numeric_limits<std::int64_t>::max();
    /// Only what this run of `sluicectl` let come up: opened since, of other events of the same objects.
    std::optional<ActionId> behind_run{};
};

/// The entries behind `after` in the order of their ids, which is that of their opening; at most `limit`,
/// without headers and body. One statement.
[[nodiscard]] Result<std::vector<DeadLetterRow>> list_dead_letters(Connection& connection,
                                                                   const DeadLetterFilter& filter,
                                                                   std::int64_t limit,
                                                                   std::int64_t after = 0);

struct DeadLetterCount {
    std::string error_class;
    std::string source;
    DeadLetterKind kind = DeadLetterKind::dead;
    std::int64_t count = 0;
    WallTime oldest{};  ///< the earliest first death
};
/// Most first.
[[nodiscard]] Result<std::vector<DeadLetterCount>> count_dead_letters(Connection& connection,
                                                                      const DeadLetterFilter& filter);

/// The highest id that was ever given; 0: none.
[[nodiscard]] Result<std::int64_t> newest_dead_letter(Connection& connection);

/// What waits behind an entry in its lane: nothing behind a case that lets others pass.
struct Waiting {
    std::int64_t count = 0;
    std::optional<WallTime> since;  ///< the broker's time stamp of the first
};
[[nodiscard]] Result<Waiting> waiting_behind(Connection& connection, const LanePlace& place);

/// A lane that entries hold, as it stands.
struct HeldLane {
    crypto::Digest lane{};
    lane::Position last = 0;      ///< of the newest event in it
    std::int64_t unfinished = 0;  ///< events that hold or wait, those of the entries among them
    std::int64_t entries = 0;     ///< of the filter
};
/// Those of the entries behind `after` that the filter selects; cases that let others pass hold none.
[[nodiscard]] Result<std::vector<HeldLane>> lanes_held_by(Connection& connection,
                                                          const DeadLetterFilter& filter,
                                                          std::int64_t after = 0);

}  // namespace sluice::store
