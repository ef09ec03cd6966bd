#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "poller/walk/ask.hpp"

namespace sluice::poller {

/// Finds where to begin from a time on, while no place is known. Pure; one thread's.
///
/// First it asks for the newest events before that time: the id of the last is a place to go behind. It asks
/// for a page of them, since one event may have no id that can be a place. Where there is none that will last
/// (a young account, the edge of what the provider keeps) it asks for windows of time from there on, each
/// twice as long as the one before, until one is not empty. A window with more than a page is halved, down to
/// a second, and then read backwards to its oldest page. So a month is searched with fifty requests at most,
/// not read.
///
/// A window is over only if it is older than the overlap: in a younger one, events may yet become visible.
/// The last window has no end.
///
/// A list that cannot be asked by time is read backwards from its newest event, to the first page that begins
/// before that time or with the oldest event.
class TimeStart {
public:
    enum class Then : std::uint8_t {
        ask_again,  ///< nothing is known yet
        go_behind,  ///< the place is the last event of the answer before the first one from the time on
        read_page,  ///< the answer holds the first events from the time on
        rest,       ///< there are none
    };
    enum class Step : std::uint8_t { newest_before, windows, backwards, oldest };

    TimeStart(WallTime from, Step first) : from_{from}, step_{first} {}

    /// What is asked next; the same where no answer came. `now`: the provider's time as far as known.
    [[nodiscard]] Ask next(WallTime now, std::chrono::seconds overlap, int limit);
    /// The answer to `next`. `lasting`: events that were created before it may be forgotten soon, and are no
    /// places.
    [[nodiscard]] Then took(const Page& page, WallTime asked_at, std::chrono::seconds overlap,
                            WallTime lasting);
    /// Another round, from a later time on; windows are as long as they are by now.
    void resume(WallTime from);

    /// Nothing that was created before it, and asked for, is missing. Rises with empty windows; falls only
    /// where it lay in the provider's future.
    [[nodiscard]] WallTime from() const { return from_; }

private:
    static constexpr std::chrono::seconds first_width{60};

    [[nodiscard]] Then took_newest(const Page& page, WallTime lasting);
    [[nodiscard]] Then took_backwards(const Page& page);
    [[nodiscard]] Then took_empty(WallTime asked_at, std::chrono::seconds overlap);
    void look_closer(const Page& page, WallTime asked_at);

    WallTime from_;
    Step step_;
    std::chrono::seconds width_ = first_width;
    std::optional<WallTime> until_;  // of the window asked for; nullopt: without an end
    std::string before_;             // in the window, or the list: read backwards from here
    bool halved_ = false;            // the window is half of one that had more than a page
    bool young_ = false;             // the last window was younger than the overlap: the next has no end
};

}  // namespace sluice::poller
