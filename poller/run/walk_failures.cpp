// What a walk does where there is no page, or where Kafka does not take all of one.
#include "common/failpoint.hpp"
#include "poller/run/source_walk.hpp"

namespace sluice::poller {
namespace {

constexpr Milliseconds first_pause{1'000};
constexpr int most_not_kept_of_a_job = 6;  // a minute

}  // namespace

/// Kafka did not take all: the page is asked for again, each time after twice the pause, so that a long
/// outage costs the provider little.
SourceWalk::Step SourceWalk::not_kept(bool never, const std::stop_token& stop) {
    if (never) {
        is_stuck_ = true;
        in_trouble("an event without an id is larger than the quarantine topic takes", true);
    }
    const bool is_over = never || ++not_kept_ > most_not_kept_of_a_job;
    if (until_ == Until::caught_up && is_over) return Step::give_up;
    const Backoff backoff{first_pause, poll_.interval};
    return pause((never ? poll_.interval : backoff.after(not_kept_, random_)) / HURRY(), stop);
}

SourceWalk::Step SourceWalk::failed(Walk& walk, const Ask& ask, const NoPage& no_page,
                                    const std::stop_token& stop) {
    if (no_page.fault == Fault::gone && walk.place_may_be_gone(reader_.now())) {
        around_.log.warn("poll_place_gone", {{"source", poll_.source->name}});
        walk.place_is_gone();
        return pause(first_pause / HURRY(), stop);
    }
    if (no_page.fault == Fault::gone) return place_unknown(walk, !ask.page.empty(), stop);
    if (no_page.fault == Fault::too_long) walk.begin_again();
    const Tries::Then then = tries_.failed(no_page.fault, around_.clock.steady(), poll_.interval, random_);
    if (then.limited_for_long) in_trouble(no_page.why + " for ten minutes", false);
    around_.log.warn(
        "poll_request_failed",
        {{"source", poll_.source->name}, {"reason", no_page.why}, {"wait_ms", then.wait.count()}});
    if (then.in_trouble) {
        in_trouble(no_page.why, no_page.fault == Fault::unreadable);
        walk.begin_again();  // a token may be to blame
        if (until_ == Until::caught_up) return Step::give_up;
    }
    return pause(then.wait / HURRY(), stop);
}

/// Its events are of another account, or were deleted. Going on by time would read another account's list as
/// ours. A token is of no account: it was read a moment ago.
SourceWalk::Step SourceWalk::place_unknown(Walk& walk, bool by_token, const std::stop_token& stop) {
    if (by_token) walk.place_is_gone();
    in_trouble(by_token
                   ? "the provider takes no page URL of its own answers"
                   : "the provider does not know the event of the checkpoint, which is younger than what it "
                     "keeps: is poll.key of another account, or was poll.list changed? If its events were "
                     "deleted: sluicectl poll forget-place",
               true);
    if (until_ == Until::caught_up) return Step::give_up;
    return pause(poll_.interval / HURRY(), stop);
}

}  // namespace sluice::poller
