#include "consumer/offsets/finished_prefix.hpp"

#include <algorithm>

namespace sluice::consumer {

bool FinishedPrefix::begin(std::int64_t offset, WallTime received_at) {
    if (offset < next_) return false;
    entries_.push_back({offset, received_at});
    next_ = offset + 1;
    ++unfinished_;
    // A gap below the first entry is nothing to wait for.
    prefix_ = entries_.front().offset;
    return true;
}

void FinishedPrefix::finish(std::int64_t offset) {
    Entry* entry = find(offset);
    if (entry == nullptr || entry->finished) return;
    entry->finished = true;
    --unfinished_;
    advance();
}

void FinishedPrefix::set_waiting(std::int64_t offset, bool waiting) {
    if (Entry* entry = find(offset)) entry->waiting = waiting;
}

std::int64_t FinishedPrefix::prefix_with(std::span<const std::int64_t> also) const {
    for (const Entry& entry : entries_) {
        if (!entry.finished && !std::ranges::binary_search(also, entry.offset)) return entry.offset;
    }
    return next_;
}

std::optional<WallTime> FinishedPrefix::oldest_due() const {
    const auto due = std::ranges::find_if(entries_, [](const Entry& e) { return !e.finished && !e.waiting; });
    if (due == entries_.end()) return std::nullopt;
    return due->received_at;
}

FinishedPrefix::Entry* FinishedPrefix::find(std::int64_t offset) {
    const auto at = std::ranges::lower_bound(entries_, offset, {}, &Entry::offset);
    return at == entries_.end() || at->offset != offset ? nullptr : &*at;
}

void FinishedPrefix::advance() {
    while (!entries_.empty() && entries_.front().finished) entries_.pop_front();
    prefix_ = entries_.empty() ? next_ : entries_.front().offset;
}

}  // namespace sluice::consumer
