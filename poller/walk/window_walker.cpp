#include "poller/walk/window_walker.hpp"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "poller/walk/recent.hpp"

namespace sluice::poller {
namespace {

using std::chrono::seconds;

constexpr seconds first_width{60};
constexpr seconds least_width{1};
constexpr int nearly_empty = 4;  // a quarter of a page
constexpr int most_begun_again = 10;

}  // namespace

WindowWalker::WindowWalker(Checkpoint from, const WalkRules& rules)
    : rules_{rules}, checkpoint_{std::move(from)}, written_{checkpoint_}, width_{first_width} {}

Ask WindowWalker::next(WallTime now) {
    caught_up_ = false;
    is_asked_ = asks_for_passed(now);
    if (is_asked_) return {.what = Ask::What::one, .id = checkpoint_.at->id, .limit = rules_.limit};
    if (!window_) window_ = window_from(checkpoint_.complete_until, now, width_);
    return ask_for(*window_);
}

/// One that may be forgotten soon says nothing of the account.
bool WindowWalker::asks_for_passed(WallTime now) const {
    return !window_ && !is_known_ && checkpoint_.at &&
           checkpoint_.at->created >= now - rules_.retention + forgotten_soon;
}

/// One that would reach into what may not be listed yet has no end: it would be read again anyway.
WindowWalker::Window WindowWalker::window_from(WallTime from, WallTime now, seconds width) const {
    const bool is_old = from + width + rules_.overlap <= now;
    return {.from = from, .until = is_old ? std::optional{from + width} : std::nullopt};
}

Ask WindowWalker::ask_for(const Window& window) const {
    return {.what = Ask::What::all_in,
            .from = window.from,
            .until = window.until.value_or(WallTime{}),
            .page = window.page,
            .limit = rules_.limit};
}

std::vector<std::size_t> WindowWalker::took(Page page, WallTime asked_at) {
    stuck_.reset();
    taken_.reset();
    if (is_asked_) {
        is_known_ = true;
        return {};
    }
    if (window_->page.empty()) {
        note_gap(gap_, window_->from, asked_at, rules_.retention);
        if (is_too_wide(page, asked_at)) return {};
        window_->asked_at = asked_at;
    }
    note_newest(page);
    std::vector<std::size_t> to_publish;
    for (const auto& [index, event] : std::views::enumerate(page.events)) {
        if (event.wanted && !knows(event.place)) to_publish.push_back(static_cast<std::size_t>(index));
    }
    taken_ = TakenPage{.page = std::move(page), .asked_at = asked_at, .to_publish = to_publish};
    return to_publish;
}

/// Then it is asked for again, from an earlier time on or up to one.
bool WindowWalker::is_too_wide(const Page& page, WallTime asked_at) {
    if (window_->from > asked_at) {
        // Our own clock, which chose the time, was ahead.
        checkpoint_.complete_until = std::min(checkpoint_.complete_until, whole_seconds(asked_at));
        window_.reset();
        return true;
    }
    const WallTime old_until = whole_seconds(asked_at - rules_.overlap);
    const auto width = std::chrono::floor<seconds>(window_->until.value_or(old_until) - window_->from);
    // A list may name a next page that has nothing: a shorter window would not end that.
    const bool is_full = 2 * page.events.size() >= static_cast<std::size_t>(rules_.limit);
    if (page.next.empty() || !is_full || width <= least_width) return false;
    width_ = width / 2;
    window_ = Window{.from = window_->from, .until = window_->from + width_};
    return true;
}

void WindowWalker::note_newest(const Page& page) {
    for (const Listed& event : page.events) {
        const bool may_be_passed = event.place.created < whole_seconds(window_->asked_at - rules_.overlap);
        if (may_be_passed && (!window_->newest || event.place.created > window_->newest->created))
            window_->newest = event.place;
    }
}

std::optional<Ask> WindowWalker::next_if_kept() const {
    if (!taken_) return std::nullopt;
    Window after = *window_;
    after.page = taken_->page.next;
    if (!after.page.empty()) return ask_for(after);
    if (!after.until) return std::nullopt;
    return ask_for(window_from(*after.until, taken_->asked_at, width_after(taken_->page)));
}

/// Once all of a window is read, and this was its last page.
seconds WindowWalker::width_after(const Page& page) const {
    const bool was_one_page = window_->page.empty();
    const auto few = static_cast<std::size_t>(rules_.limit / nearly_empty);
    return was_one_page && page.events.size() <= few ? 2 * width_ : width_;
}

void WindowWalker::cannot_keep(std::size_t event) {
    if (taken_ && !stuck_) stuck_ = taken_->page.events.at(event).place;
}

void WindowWalker::delivered(const std::vector<bool>& kept) {
    if (!taken_) return;
    for (const auto& [event, is_kept] : std::views::zip(taken_->to_publish, kept)) {
        if (is_kept) keep(taken_->page.events[event].place);
    }
    const bool all_kept =
        kept.size() == taken_->to_publish.size() && std::ranges::all_of(kept, std::identity{});
    if (stuck_) return end_round();
    if (!all_kept) return taken_.reset();
    if (!taken_->page.next.empty()) {
        window_->page = std::move(taken_->page.next);
        return taken_.reset();
    }
    end_window();
}

void WindowWalker::keep(const Place& place) {
    kept_.emplace(place.created, place.id);
    if (kept_.size() > Recent::most_by_default) kept_.erase(kept_.begin());
}

void WindowWalker::end_window() {
    complete();
    if (!window_->page.empty()) begun_again_ = 0;
    if (!window_->until) return end_round();
    width_ = width_after(taken_->page);
    window_ = window_from(*window_->until, taken_->asked_at, width_);
    taken_.reset();
}

void WindowWalker::complete() {
    // Events that may yet become visible lie between.
    if (window_->from > checkpoint_.complete_until) return;
    const WallTime old_until = whole_seconds(window_->asked_at - rules_.overlap);
    checkpoint_.complete_until =
        std::max(checkpoint_.complete_until, std::min(window_->until.value_or(old_until), old_until));
    if (window_->newest) checkpoint_.at = std::move(window_->newest);
    kept_.erase(kept_.begin(), kept_.lower_bound({checkpoint_.complete_until, {}}));
}

bool WindowWalker::place_may_be_gone(WallTime /*now*/) const {
    return window_ && !window_->page.empty() && begun_again_ < most_begun_again;
}

void WindowWalker::place_is_gone() {
    ++begun_again_;
    begin_again();
}

void WindowWalker::begin_again() {
    taken_.reset();
    if (window_) window_->page.clear();
}

void WindowWalker::end_round() {
    window_.reset();
    taken_.reset();
    is_known_ = false;
    caught_up_ = true;
}

std::optional<Checkpoint> WindowWalker::to_write() const {
    return checkpoint_ == written_ ? std::nullopt : std::optional{checkpoint_};
}

void WindowWalker::written() {
    written_ = checkpoint_;
    gap_.reset();
}

}  // namespace sluice::poller
