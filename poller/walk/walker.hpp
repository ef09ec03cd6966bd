#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "poller/walk/ask.hpp"
#include "poller/walk/place.hpp"
#include "poller/walk/recent.hpp"
#include "poller/walk/time_start.hpp"

namespace sluice::poller {

struct WalkRules {
    std::chrono::seconds overlap{300};  ///< an event is listed this long after its creation at the latest
    std::chrono::days retention{30};    ///< the provider lists events for this long at least
    int limit = 100;                    ///< events of a page
    bool by_time = true;                ///< the list can be asked by time
};

/// Where one source's walk is, and what it asks next. Pure; one thread's. Ids decide nothing but places.
///
/// Each round reads forward from the checkpoint to the newest event. The checkpoint lags: it passes an event
/// only when Kafka has it and all before it, and when the event was older than the overlap as its page was
/// asked for. What becomes visible later than that page was created later, and stands behind the checkpoint
/// (docs/decisions/0107-checkpoint-lags-by-the-overlap.md). What is read again is not published again
/// (`Recent`).
///
///     while (!walker.is_caught_up()) {
///         ask = walker.next(now);             // no answer: the same again, or place_is_gone()
///         events = walker.took(page, asked_at);
///         walker.delivered(kept);             // after each took, also where nothing is to be published
///         if (to = walker.to_write()) …       // one transaction with gap(), then written()
///     }
class Walker {
public:
    Walker(Checkpoint from, const WalkRules& rules);
    Walker(const Walker&) = delete;
    Walker& operator=(const Walker&) = delete;

    /// The next request; after a round that is over, the first of another. `now`: the provider's time as far
    /// as known.
    [[nodiscard]] Ask next(WallTime now);
    /// The answer to `next`. Which events of the page are to be published, in this order: those that are
    /// wanted and not kept already. `asked_at`: the provider's time when the request left, or earlier.
    [[nodiscard]] std::vector<std::size_t> took(Page page, WallTime asked_at);
    /// What `next` says once all of the page that was taken is kept; nullopt where that ends the round.
    [[nodiscard]] std::optional<Ask> next_if_kept() const;
    /// That event of the page can never be kept: call it before `delivered`.
    void cannot_keep(std::size_t event);
    /// Which of those to be published Kafka has, in the same order. Where one is missing the page is asked
    /// for again from there on.
    void delivered(const std::vector<bool>& kept);
    /// Whether the place that was asked for is so old that the provider may have forgotten it since, or was
    /// read within this search. If it is neither, and the provider does not know it, the list is another
    /// account's.
    [[nodiscard]] bool place_may_be_gone(WallTime now) const;
    /// The provider has forgotten it: goes on by time.
    void place_is_gone();

    /// What MySQL may be told now, where that is not what it was told. Never before Kafka has all that it
    /// covers.
    [[nodiscard]] std::optional<Checkpoint> to_write() const;
    /// What may be missing, found since the last `written`: of a walk by time that is no younger than the
    /// retention less an hour. Goes into the transaction that writes the checkpoint, which has passed it.
    [[nodiscard]] const std::optional<Gap>& gap() const { return gap_; }
    /// MySQL has what `to_write` and `gap` say.
    void written();

    /// The round is over: rest until the next.
    [[nodiscard]] bool is_caught_up() const { return caught_up_; }
    /// An event that can never be kept. The walk stands before it; each round tries it again.
    [[nodiscard]] const Place* stuck_at() const { return stuck_ ? &*stuck_ : nullptr; }

private:
    struct Round {
        std::optional<Place> position{};  // everything up to here was read; nullopt: by_time_ still searches
        std::optional<WallTime> began{};  // when its first page of events was asked for
        bool moves_checkpoint = true;     // until the first event that is too young
    };
    /// A page whose events are being published.
    struct Taken {
        Page page;
        WallTime asked_at{};
        std::vector<std::size_t> to_publish{};
    };

    void begin_round(WallTime now);
    void go_by_time();
    [[nodiscard]] bool holds_the_first(const Page& page, WallTime asked_at);
    void note_gap(WallTime asked_at);
    void start_behind(const Page& page);
    void pass(const Place& place, WallTime asked_at);
    void complete(WallTime until);
    void end_round();

    Checkpoint checkpoint_;
    Checkpoint written_;
    std::optional<Gap> gap_;
    WalkRules rules_;
    Recent recent_;
    std::optional<TimeStart> by_time_;  // while the checkpoint has no place
    std::optional<Round> round_;
    std::optional<Taken> taken_;
    std::optional<Place> stuck_;
    bool caught_up_ = false;
};

}  // namespace sluice::poller
