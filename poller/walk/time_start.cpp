#include "poller/walk/time_start.hpp"

#include <algorithm>
#include <utility>

namespace sluice::poller {

using std::chrono::seconds;

Ask TimeStart::next(WallTime now, seconds overlap, int limit) {
    if (step_ == Step::newest_before)
        return {.what = Ask::What::newest_before, .until = from_, .limit = limit};
    if (step_ == Step::backwards) return {.what = Ask::What::before, .id = before_, .limit = limit};
    if (step_ == Step::oldest) return {.what = Ask::What::behind, .limit = limit};
    const bool reaches_now = !halved_ && from_ + width_ + overlap > now;
    until_ = young_ || reaches_now ? std::nullopt : std::optional{from_ + width_};
    return {.what = Ask::What::oldest_in,
            .id = before_,
            .from = from_,
            .until = until_.value_or(WallTime{}),
            .limit = limit};
}

TimeStart::Then TimeStart::took(const Page& page, WallTime asked_at, seconds overlap, WallTime lasting) {
    // Our own clock, which chose the time, was ahead.
    if (step_ != Step::windows && from_ > asked_at) {
        from_ = std::chrono::floor<seconds>(asked_at);
        return Then::ask_again;
    }
    if (step_ == Step::newest_before) return took_newest(page, lasting);
    if (page.events.empty()) return took_empty(asked_at, overlap);
    if (step_ == Step::backwards) return took_backwards(page);
    if (step_ == Step::oldest) return Then::read_page;
    if (!page.has_more) return Then::read_page;
    look_closer(page, asked_at);
    return Then::ask_again;
}

TimeStart::Then TimeStart::took_newest(const Page& page, WallTime lasting) {
    const auto is_before = [this](const Listed& event) { return event.place.created < from_; };
    if (!page.events.empty() && std::ranges::all_of(page.events, is_before) &&
        page.events.back().place.created >= lasting)
        return Then::go_behind;
    step_ = Step::windows;
    return Then::ask_again;
}

TimeStart::Then TimeStart::took_backwards(const Page& page) {
    const Place& oldest = page.events.front().place;
    if (oldest.created < from_) return Then::go_behind;
    if (!page.has_more) return Then::read_page;
    before_ = oldest.id;
    return Then::ask_again;
}

TimeStart::Then TimeStart::took_empty(WallTime asked_at, seconds overlap) {
    if (!before_.empty()) {
        // What stood before it is gone meanwhile, or has no places.
        before_.clear();
        if (step_ == Step::backwards) step_ = Step::oldest;
        return Then::ask_again;
    }
    if (!until_) return Then::rest;
    young_ = *until_ + overlap > asked_at;
    if (young_) return Then::ask_again;
    from_ = *until_;
    // The other half is as long; if that is empty too, its events are gone.
    if (!std::exchange(halved_, false)) width_ *= 2;
    return Then::ask_again;
}

void TimeStart::look_closer(const Page& page, WallTime asked_at) {
    const auto span = std::chrono::ceil<seconds>(until_.value_or(asked_at) - from_);
    if (before_.empty() && !young_ && span > seconds{1}) {
        width_ = span / 2;
        halved_ = true;
    } else {
        before_ = page.events.front().place.id;
    }
}

void TimeStart::resume(WallTime from) {
    const auto width = std::max(width_, first_width);
    *this = TimeStart{from, step_ < Step::backwards ? Step::windows : Step::backwards};
    width_ = width;
}

}  // namespace sluice::poller
