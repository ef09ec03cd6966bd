#include "poller/run/source_walk.hpp"

#include <algorithm>
#include <utility>

#include "common/failpoint.hpp"
#include "common/wait_or_stop.hpp"

namespace sluice::poller {
namespace {

std::vector<std::size_t> in_page(const PlacedEvents& placed, std::span<const std::size_t> events) {
    std::vector<std::size_t> numbers;
    for (const std::size_t event : events) numbers.push_back(placed.at[event]);
    return numbers;
}

std::string concern_of(const PollSettings& poll) {
    return "poll " + poll.source->name;
}

}  // namespace

SourceWalk::SourceWalk(const PollSettings& poll, Account& account, const Surroundings& around)
    : poll_{poll},
      account_{account},
      around_{around},
      metrics_{around.metrics, poll},
      concern_{concern_of(poll)},
      checkpoints_{around.mysql, poll, around.clock},
      reader_{poll, account, metrics_, around.clock},
      publisher_{poll, around.outlet, metrics_, around.log, around.clock},
      tries_{poll.list->facts().most},
      random_{std::random_device{}()},
      last_turn_{around.clock.steady()} {
    around_.readiness.expect(concern_, "not begun yet");
}

SourceWalk::End SourceWalk::run(const std::stop_token& stop, Until until) {
    until_ = until;
    const End end = lead_or_stand_by(stop);
    last_turn_ = SteadyTime::max();  // an ended walk is not one that hangs
    return end;
}

SourceWalk::End SourceWalk::lead_or_stand_by(const std::stop_token& stop) {
    SteadyTime began = around_.clock.steady();
    while (!stop.stop_requested()) {
        last_turn_ = around_.clock.steady();
        const Checkpoints::Held held = checkpoints_.take(first());
        if (held == Checkpoints::Held::ours) {
            leads_ = true;
            const auto end = walk(stop);
            leads_ = false;
            metrics_.stands_by();
            if (end) {
                checkpoints_.release();
                return *end;
            }
            around_.log.warn("poll_lease_lost",
                             {{"source", poll_.source->name}, {"reason", checkpoints_.why()}});
            if (!wait_or_stop(stop, between_renewals() / 4)) break;
            began = around_.clock.steady();
            continue;
        }
        not_walking(held);
        const bool is_over = around_.clock.steady() - began > lease_time(poll_);
        if (until_ == Until::caught_up && (is_over || held == Checkpoints::Held::not_ours))
            return End::in_trouble;
        if (!wait_or_stop(stop, between_renewals())) break;
    }
    return End::stopped;
}

/// nullopt: the lease is to be taken again.
std::optional<SourceWalk::End> SourceWalk::walk(const std::stop_token& stop) {
    began(checkpoints_.begin());
    reader_.forget_early();
    const auto walk = make_walk(checkpoints_.begin(), walk_rules(poll_));
    while (true) {
        Step next = step(*walk, stop);
        if (next == Step::rest) {
            if (until_ == Until::caught_up) return is_stuck_ ? End::in_trouble : End::caught_up;
            next = pause(poll_.interval / HURRY(), stop);
        }
        if (next == Step::stop) return End::stopped;
        if (next == Step::lease_lost) return std::nullopt;
        if (next == Step::give_up) return End::in_trouble;
    }
}

SourceWalk::Step SourceWalk::step(Walk& walk, const std::stop_token& stop) {
    if (stop.stop_requested()) return Step::stop;
    // Below the budget nothing waits, so that no pause notes it.
    last_turn_ = around_.clock.steady();
    metrics_.aged(reader_.now());
    if (const Step next = keep_lease(); next != Step::go_on) return next;
    const Ask ask = tries_.in_limit(walk.next(reader_.now()));
    if (!reader_.is_asked(ask)) {
        reader_.forget_early();
        if (const Step next = wait_for_budget(stop); next != Step::go_on) return next;
    }
    const auto read = reader_.read(ask, stop);
    if (stop.stop_requested()) return Step::stop;
    if (!read) return failed(walk, ask, read.error(), stop);
    tries_.worked();
    worked();
    (void)FP("poller.after_page");
    // Those of a page from before the walk's beginning are not the walk's.
    if (ask.what != Ask::What::newest_before)
        if (const auto kept = publisher_.keep_unplaced(read->page); kept != PageOutlet::Unplaced::kept)
            return not_kept(kept == PageOutlet::Unplaced::never, stop);
    return took(walk, *read, stop);
}

SourceWalk::Step SourceWalk::took(Walk& walk, const ReadPage& read, const std::stop_token& stop) {
    PlacedEvents placed = placed_in(read.page);
    const auto filtered = std::ranges::count(placed.page.events, false, &Listed::wanted);
    metrics_.events("filtered", static_cast<std::size_t>(filtered));
    const auto events = walk.took(std::move(placed.page), read.asked_at);
    ask_early(walk);
    const auto published = publisher_.publish(read.page, in_page(placed, events));
    for (const std::size_t event : published.never) walk.cannot_keep(events[event]);
    walk.delivered(published.kept);
    if (const Step next = move(walk); next != Step::go_on) return next;
    if (walk.is_caught_up()) return round_over(walk);
    if (!published.all_kept()) return not_kept(false, stop);
    not_kept_ = 0;
    return Step::go_on;
}

/// For the next page, while Kafka takes this one and MySQL the checkpoint: where that is to be expected.
void SourceWalk::ask_early(const Walk& walk) {
    if (not_kept_ > 0) return;
    const auto ask = walk.next_if_kept();
    if (ask && account_.take() == Milliseconds{0}) reader_.ask_early(tries_.in_limit(*ask));
}

SourceWalk::Step SourceWalk::move(Walk& walk) {
    const auto to = walk.to_write();
    if (!to) return Step::go_on;
    const std::optional<Gap> gap = walk.gap();
    (void)FP("poller.before_move");
    if (checkpoints_.write(*to, gap) != Checkpoints::Held::ours) return Step::lease_lost;
    (void)FP("poller.after_move");
    walk.written();
    metrics_.moved();
    metrics_.complete(to->complete_until);
    metrics_.aged(reader_.now());
    if (gap) show_gap();
    return Step::go_on;
}

SourceWalk::Step SourceWalk::round_over(const Walk& walk) {
    const Place* stuck = walk.stuck_at();
    not_kept_ = 0;
    is_stuck_ = stuck != nullptr;
    if (stuck == nullptr)
        worked();
    else
        in_trouble("event " + stuck->id + " is larger than the topic takes (max.message.bytes)", true);
    return Step::rest;
}

SourceWalk::Step SourceWalk::pause(Milliseconds time, const std::stop_token& stop) {
    const SteadyTime until = around_.clock.steady() + time;
    while (true) {
        last_turn_ = around_.clock.steady();
        metrics_.aged(reader_.now());
        const auto left = std::chrono::ceil<Milliseconds>(until - around_.clock.steady());
        if (left <= Milliseconds{0}) return stop.stop_requested() ? Step::stop : Step::go_on;
        if (!wait_or_stop(stop, std::min(left, between_renewals() / 2))) return Step::stop;
        if (const Step next = keep_lease(); next != Step::go_on) return next;
    }
}

SourceWalk::Step SourceWalk::wait_for_budget(const std::stop_token& stop) {
    Step next = Step::go_on;
    (void)account_.take_in_turn([&](Milliseconds wait) {
        next = pause(wait, stop);
        return next == Step::go_on;
    });
    return next;
}

SourceWalk::Step SourceWalk::keep_lease() {
    return checkpoints_.keep() == Checkpoints::Held::ours ? Step::go_on : Step::lease_lost;
}

/// A first walk begins with what the provider may not have listed yet. Of what it keeps, the oldest two hours
/// are left out: they may be forgotten before they are read, and would be told as a gap.
Checkpoint SourceWalk::first() const {
    const WallTime now = reader_.now();
    const Milliseconds kept = poll_.list->facts().retention - std::chrono::hours{2};
    const WallTime from = poll_.since ? now - std::min(*poll_.since, kept) : now - poll_.overlap;
    return {.at = std::nullopt, .complete_until = std::chrono::floor<std::chrono::seconds>(from)};
}

}  // namespace sluice::poller
