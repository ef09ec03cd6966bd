#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/store/poll/reconciliation.hpp"
#include "poller/reconcile/window.hpp"

namespace sluice::poller {

inline constexpr std::size_t reconciliation_id_bytes = 16;  ///< at random; written in hex

/// An event as people look for it.
struct ReportedEvent {
    std::string id;
    std::string type;
    std::optional<WallTime> created{};  ///< of a row of the inbox: its day
    std::string state;                  ///< "injected", "not injected", "before the first", "dead"
};

/// What a reconciliation found, so far. One thread's.
struct Report {
    /// Of each list of events; all of them are counted.
    static constexpr std::size_t most_events = 1'000;

    std::string id;
    std::string source;
    std::string account;             ///< provider/principal
    std::optional<Window> window;    ///< nullopt: a file of ids
    std::vector<std::string> types;  ///< poll.types: all that was asked for; empty: any type
    std::vector<std::string> cuts;   ///< why the window is less than what was asked for
    bool applies = false;
    store::ReconciliationCounts counts;
    std::int64_t before_first =
        0;  ///< of the missing: created before the first listed one that is here was received
    std::int64_t too_old = 0;     ///< not here, and the inbox no longer knows of their day
    std::int64_t unreadable = 0;  ///< listed, and no recipe can read them
    std::vector<ReportedEvent> missing;
    std::vector<ReportedEvent> not_applied;
    std::vector<ReportedEvent> not_there;
    std::int64_t days_compared = 0;  ///< the other way round
    std::string why_not_compared;    ///< of the rest of the window
    std::string broken_off;          ///< why it has not looked at all; empty: it has
};

/// Of a run that begins, with an id of its own.
[[nodiscard]] Report report_of(const webhook::Source& source);

/// Of its events, those that are listed and that nobody can say of whether they are here.
[[nodiscard]] inline std::int64_t not_judged(const Report& report) {
    return report.unreadable + report.too_old;
}
/// Of the command: 3 where it has not looked at all, 1 where something was missing, 3 where some could not be
/// judged, and 0.
[[nodiscard]] int exit_status(const Report& report);

/// Into one of its lists, while there is room.
void list_in(std::vector<ReportedEvent>& events, ReportedEvent event);

[[nodiscard]] std::string to_people(const Report& report);
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace sluice::poller
