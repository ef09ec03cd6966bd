#include "poller/walk/walker.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace sluice::poller {
namespace {}  // namespace

Walker::Walker(Checkpoint from, const WalkRules& rules)
    : checkpoint_{std::move(from)}, written_{checkpoint_}, rules_{rules} {}

Ask Walker::next(WallTime now) {
    if (!round_) begin_round(now);
    if (!round_->position) return by_time_->next(now, rules_.overlap, rules_.limit);
    return {.what = Ask::What::behind, .id = round_->position->id, .limit = rules_.limit};
}

void Walker::begin_round(WallTime now) {
    caught_up_ = false;
    if (checkpoint_.at && checkpoint_.at->created < now - rules_.retention + forgotten_soon)
        return go_by_time();
    round_ = Round{.position = checkpoint_.at};
    if (checkpoint_.at) return;
    if (by_time_) {
        by_time_->resume(checkpoint_.complete_until);
    } else {
        by_time_.emplace(checkpoint_.complete_until,
                         rules_.by_time ? TimeStart::Step::newest_before : TimeStart::Step::backwards);
    }
}

bool Walker::place_may_be_gone(WallTime now) const {
    return round_ &&
           (!round_->position || round_->position->created < now - rules_.retention + forgotten_soon);
}

void Walker::place_is_gone() {
    go_by_time();
}

/// A place that is gone, or soon will be, has none before it: no need to ask for one.
void Walker::go_by_time() {
    checkpoint_.at.reset();
    by_time_.emplace(checkpoint_.complete_until,
                     rules_.by_time ? TimeStart::Step::windows : TimeStart::Step::backwards);
    round_ = Round{};
    taken_.reset();
}

std::vector<std::size_t> Walker::took(Page page, WallTime asked_at) {
    stuck_.reset();
    taken_.reset();
    if (!round_->position) {
        if (!holds_the_first(page, asked_at)) return {};
        page.has_more = true;  // newer ones: those behind it
    }
    if (!round_->began) round_->began = asked_at;
    std::vector<std::size_t> to_publish;
    for (const auto& [index, event] : std::views::enumerate(page.events)) {
        if (event.wanted && !recent_.knows(event.place.id))
            to_publish.push_back(static_cast<std::size_t>(index));
    }
    taken_ = TakenPage{.page = std::move(page), .asked_at = asked_at, .to_publish = to_publish};
    return to_publish;
}

bool Walker::holds_the_first(const Page& page, WallTime asked_at) {
    note_gap(gap_, by_time_->from(), asked_at, rules_.retention);
    const auto then =
        by_time_->took(page, asked_at, rules_.overlap, asked_at - rules_.retention + forgotten_soon);
    checkpoint_.complete_until = by_time_->from();
    if (then == TimeStart::Then::go_behind) start_behind(page);
    if (then == TimeStart::Then::rest) {
        complete(asked_at - rules_.overlap);
        end_round();
    }
    return then == TimeStart::Then::read_page;
}

void Walker::start_behind(const Page& page) {
    const auto first = std::ranges::find_if(
        page.events, [from = by_time_->from()](const Listed& event) { return event.place.created >= from; });
    checkpoint_.at = round_->position = std::prev(first)->place;
    by_time_.reset();
}

std::optional<Ask> Walker::next_if_kept() const {
    if (!taken_ || !taken_->page.has_more || taken_->page.events.empty()) return std::nullopt;
    return Ask{.what = Ask::What::behind, .id = taken_->page.events.back().place.id, .limit = rules_.limit};
}

void Walker::cannot_keep(std::size_t event) {
    if (taken_ && !stuck_) stuck_ = taken_->page.events.at(event).place;
}

void Walker::delivered(const std::vector<bool>& kept) {
    if (!taken_) return;
    const TakenPage taken = std::move(*taken_);
    taken_.reset();
    const auto& events = taken.page.events;
    for (const auto& [event, is_kept] : std::views::zip(taken.to_publish, kept)) {
        if (is_kept) recent_.keep(events[event].place.id);
    }
    const auto missing = std::ranges::find_if(
        events, [&](const Listed& event) { return event.wanted && !recent_.knows(event.place.id); });
    for (const Listed& event : std::ranges::subrange(events.begin(), missing))
        pass(event.place, taken.asked_at);
    if (missing != events.end()) {
        if (stuck_ && missing->place == *stuck_) end_round();
        return;
    }
    if (taken.page.has_more && !events.empty()) return;
    if (!taken.page.has_more) complete(*round_->began - rules_.overlap);
    end_round();
}

void Walker::pass(const Place& place, WallTime asked_at) {
    round_->position = place;
    round_->moves_checkpoint = round_->moves_checkpoint && place.created + rules_.overlap <= asked_at;
    if (!round_->moves_checkpoint) return;
    checkpoint_.at = place;
    by_time_.reset();
    complete(place.created);
    recent_.forget(place.id);
}

void Walker::complete(WallTime until) {
    checkpoint_.complete_until = std::max(checkpoint_.complete_until, whole_seconds(until));
}

WallTime Walker::read_until() const {
    return round_ && round_->position ? round_->position->created : WallTime{};
}

void Walker::end_round() {
    round_.reset();
    caught_up_ = true;
}

std::optional<Checkpoint> Walker::to_write() const {
    return checkpoint_ == written_ ? std::nullopt : std::optional{checkpoint_};
}

void Walker::written() {
    written_ = checkpoint_;
    gap_.reset();
}

}  // namespace sluice::poller
