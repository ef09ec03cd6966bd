#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "poller/walk/ask.hpp"
#include "poller/walk/place.hpp"

namespace sluice::poller {

struct WalkRules {
    std::chrono::seconds overlap{300};  ///< an event is listed this long after its creation at the latest
    std::chrono::days retention{30};    ///< the provider lists events for this long at least
    int limit = 100;                    ///< events of a page
    bool by_time = true;                ///< the list can be asked by time
    bool by_token = false;  ///< it has no places: windows of time, whose pages are known by tokens
};

/// So long before the provider may forget it, a place is given up: what it answers for one that it forgot is
/// not ours to know.
inline constexpr std::chrono::days forgotten_soon{1};
/// As a checkpoint's time is.
[[nodiscard]] inline WallTime whole_seconds(WallTime time) {
    return std::chrono::floor<std::chrono::seconds>(time);
}

/// Where one source's walk is, and what it asks next. Pure; one thread's. Ids decide nothing but places.
///
/// Each round reads from the checkpoint to the newest event. The checkpoint lags: it passes an event only
/// when Kafka has it and all before it, and when the event was older than the overlap as it was asked for
/// (docs/decisions/0107-checkpoint-lags-by-the-overlap.md). What is read again is not published again.
///
///     while (!walk.is_caught_up()) {
///         ask = walk.next(now);               // no answer: the same again, or place_is_gone()
///         events = walk.took(page, asked_at);
///         walk.delivered(kept);               // after each took, also where nothing is to be published
///         if (to = walk.to_write()) …         // one transaction with gap(), then written()
///     }
class Walk {
public:
    Walk() = default;
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    virtual ~Walk() = default;

    /// The next request; after a round that is over, the first of another. `now`: the provider's time as far
    /// as known.
    [[nodiscard]] virtual Ask next(WallTime now) = 0;
    /// The answer to `next`. Which events of the page are to be published, in this order: those that are
    /// wanted and not kept already. `asked_at`: the provider's time when the request left, or earlier.
    [[nodiscard]] virtual std::vector<std::size_t> took(Page page, WallTime asked_at) = 0;
    /// What `next` says once all of the page that was taken is kept; nullopt where that ends the round.
    [[nodiscard]] virtual std::optional<Ask> next_if_kept() const = 0;
    /// That event of the page can never be kept: call it before `delivered`.
    virtual void cannot_keep(std::size_t event) = 0;
    /// Which of those to be published Kafka has, in the same order. Where one is missing the page is asked
    /// for again.
    virtual void delivered(const std::vector<bool>& kept) = 0;
    /// Whether the place or the token that was asked for is one that the provider may have forgotten. If it
    /// is not, and the provider does not know it, the list is another account's.
    [[nodiscard]] virtual bool place_may_be_gone(WallTime now) const = 0;
    /// The provider has forgotten it: goes on by time.
    virtual void place_is_gone() = 0;
    /// The page cannot be had: it had more bytes than are taken, or fails after all retries. Where a token
    /// led to it, `next` begins its window again.
    virtual void begin_again() {}

    /// What MySQL may be told now, where that is not what it was told. Never before Kafka has all that it
    /// covers.
    [[nodiscard]] virtual std::optional<Checkpoint> to_write() const = 0;
    /// What may be missing, found since the last `written`: of a walk by time that is no younger than the
    /// retention less an hour. Goes into the transaction that writes the checkpoint, which has passed it.
    [[nodiscard]] virtual const std::optional<Gap>& gap() const = 0;
    /// MySQL has what `to_write` and `gap` say.
    virtual void written() = 0;

    /// The round is over: rest until the next.
    [[nodiscard]] virtual bool is_caught_up() const = 0;
    /// This round has read all that was created before; {}: not known, or the round is over.
    [[nodiscard]] virtual WallTime read_until() const = 0;
    /// An event that can never be kept. The walk stands before it; each round tries it again.
    [[nodiscard]] virtual const Place* stuck_at() const = 0;
};

/// A page whose events are being published.
struct TakenPage {
    Page page;
    WallTime asked_at{};
    std::vector<std::size_t> to_publish{};
};

/// Of a list that is asked from that time on: `found` grows by what the provider may have forgotten of it.
void note_gap(std::optional<Gap>& found, WallTime from, WallTime asked_at, std::chrono::days retention);

/// The one that such a list needs.
[[nodiscard]] std::unique_ptr<Walk> make_walk(Checkpoint from, const WalkRules& rules);

}  // namespace sluice::poller
