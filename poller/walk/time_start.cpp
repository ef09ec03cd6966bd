#include "poller/walk/time_start.hpp"

#include <algorithm>

namespace sluice::poller {

using std::chrono::seconds;

Ask TimeStart::next(WallTime now, seconds overlap, int limit) {
    if (step_ == Step::newest_before) return {.what = Ask::What::newest_before, .until = from_, .limit = 1};
    const bool reaches_now = !narrowing_ && from_ + width_ + overlap > now;
    // Read backwards, the window stays what it is.
    if (before_.empty()) until_ = young_ || reaches_now ? std::nullopt : std::optional{from_ + width_};
    return {.what = Ask::What::oldest_in,
            .id = before_,
            .from = from_,
            .until = until_.value_or(WallTime{}),
            .limit = limit};
}

TimeStart::Then TimeStart::took(const Page& page, WallTime asked_at, seconds overlap, WallTime lasting) {
    // Our own clock, which chose it, was ahead.
    if (from_ > asked_at) {
        *this = TimeStart{std::chrono::floor<seconds>(asked_at), Step::newest_before};
        return Then::ask_again;
    }
    if (step_ == Step::newest_before) return took_newest(page, lasting);
    if (page.events.empty()) return took_empty(asked_at, overlap);
    if (!page.has_more) return Then::read_page;
    look_closer(page, asked_at);
    return Then::ask_again;
}

TimeStart::Then TimeStart::took_newest(const Page& page, WallTime lasting) {
    if (!page.events.empty()) {
        const WallTime created = page.events.back().place.created;
        if (created < from_ && created >= lasting) return Then::go_behind;
    }
    step_ = Step::windows;
    return Then::ask_again;
}

TimeStart::Then TimeStart::took_empty(WallTime asked_at, seconds overlap) {
    if (!before_.empty()) {
        // What stood before it is gone meanwhile.
        before_.clear();
        return Then::ask_again;
    }
    if (!until_) return Then::rest;
    young_ = *until_ + overlap > asked_at;
    if (young_) return Then::ask_again;
    from_ = *until_;
    if (!narrowing_) width_ *= 2;
    return Then::ask_again;
}

void TimeStart::look_closer(const Page& page, WallTime asked_at) {
    const auto span = std::chrono::ceil<seconds>(until_.value_or(asked_at) - from_);
    if (before_.empty() && !young_ && span > seconds{1}) {
        width_ = span / 2;
        narrowing_ = true;
    } else {
        before_ = page.events.front().place.id;
    }
}

void TimeStart::resume(WallTime from) {
    from_ = from;
    step_ = Step::windows;
    width_ = std::max(width_, first_width);
    before_.clear();
    narrowing_ = young_ = false;
}

}  // namespace sluice::poller
