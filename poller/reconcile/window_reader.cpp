#include "poller/reconcile/window_reader.hpp"

#include <random>
#include <utility>

#include "common/failpoint.hpp"
#include "common/wait_or_stop.hpp"
#include "poller/reconcile/broken_off.hpp"
#include "poller/run/page_outlet.hpp"

namespace sluice::poller {
namespace {

/// True: go on.
bool pause_or_break(const std::stop_token& stop, Milliseconds time) {
    if (!wait_or_stop(stop, time)) throw BrokenOff{"it was stopped"};
    return true;
}

std::vector<std::size_t> unplaced_in(const RawPage& page) {
    std::vector<std::size_t> unplaced;
    for (std::size_t i = 0; i < page.events.size(); ++i)
        if (!page.events[i].place && page.events[i].wanted) unplaced.push_back(i);
    return unplaced;
}

}  // namespace

WindowReader::WindowReader(const PollSettings& poll, Account& account, WalkMetrics& metrics,
                           const Clock& clock, WallTime from)
    : poll_{poll},
      account_{account},
      clock_{clock},
      reader_{poll, account, metrics, clock},
      walk_{make_walk({.at = std::nullopt, .complete_until = from}, walk_rules(poll))},
      tries_{poll.list->facts().most},
      random_{std::random_device{}()} {}

std::optional<WindowReader::Events> WindowReader::next(const std::stop_token& stop) {
    if (walk_->is_caught_up()) return std::nullopt;
    auto [to, read] = page(stop);
    PlacedEvents placed = placed_in(read.page);
    std::vector<std::size_t> wanted;
    for (const std::size_t event : walk_->took(std::move(placed.page), read.asked_at))
        wanted.push_back(placed.at[event]);
    walk_->delivered(std::vector<bool>(wanted.size(), true));
    // What the search for the beginning has seen is not read yet, but an event without a place may come by no
    // other request.
    auto unplaced = to == Ask::What::newest_before ? std::vector<std::size_t>{} : unplaced_in(read.page);
    return Events{std::move(read.page), std::move(wanted), std::move(unplaced), walk_->read_until()};
}

WindowReader::Answered WindowReader::page(const std::stop_token& stop) {
    while (true) {
        (void)account_.take_in_turn([&](Milliseconds time) { return pause_or_break(stop, time); });
        const Ask ask = tries_.in_limit(walk_->next(reader_.now()));
        auto read = reader_.read(ask, stop);
        if (stop.stop_requested()) throw BrokenOff{"it was stopped"};
        if (read) {
            tries_.worked();
            asked_at_ = read->asked_at;
            return {ask.what, std::move(*read)};
        }
        failed(read.error(), stop);
    }
}

void WindowReader::failed(const NoPage& no_page, const std::stop_token& stop) {
    if (no_page.fault == Fault::gone && walk_->place_may_be_gone(reader_.now()))
        return walk_->place_is_gone();
    if (no_page.fault == Fault::gone)
        throw BrokenOff{"the provider does not know an event that it has listed"};
    if (no_page.fault == Fault::too_long) walk_->begin_again();
    const Tries::Then then = tries_.failed(no_page.fault, clock_.steady(), poll_.interval, random_);
    if (then.limited_for_long) throw BrokenOff{no_page.why + " for ten minutes"};
    if (then.in_trouble) throw BrokenOff{no_page.why};
    (void)pause_or_break(stop, then.wait / HURRY());
}

}  // namespace sluice::poller
