#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "common/clock.hpp"

namespace sluice::consumer {

/// Which offsets of one partition are finished: begun in order, finished in any order, and only the
/// contiguous prefix counts. Pure; not thread-safe. Offsets may have gaps (compaction, markers).
class FinishedPrefix {
public:
    /// `start`: the position that reading starts from; every offset below counts as finished.
    explicit FinishedPrefix(std::int64_t start) : prefix_{start}, next_{start} {}

    /// A record was handed out; offsets grow. False, and nothing happens, for one below an earlier one.
    [[nodiscard]] bool begin(std::int64_t offset, WallTime received_at);
    /// It is applied, or settled without an effect. Unknown and repeated offsets are ignored.
    void finish(std::int64_t offset);
    /// It waits on purpose (deferred, backing off) or is due again.
    void set_waiting(std::int64_t offset, bool waiting);

    /// The first offset that is not finished; all below are.
    [[nodiscard]] std::int64_t prefix() const noexcept { return prefix_; }
    /// Above the last one begun.
    [[nodiscard]] std::int64_t next() const noexcept { return next_; }
    /// The prefix as it will be once `also` (sorted) is finished too: what a transaction that
    /// applies them may write as applied.
    [[nodiscard]] std::int64_t prefix_with(std::span<const std::int64_t> also) const;
    /// When the oldest unfinished event that is due was received; nothing when caught up.
    [[nodiscard]] std::optional<WallTime> oldest_due() const;
    [[nodiscard]] std::size_t unfinished() const noexcept { return unfinished_; }

private:
    struct Entry {
        std::int64_t offset;
        WallTime received_at;
        bool finished = false;
        bool waiting = false;
    };
    [[nodiscard]] Entry* find(std::int64_t offset);
    void advance();

    std::deque<Entry> entries_;  // from the first unfinished one on, by offset
    std::int64_t prefix_;
    std::int64_t next_;  // above the last one begun
    std::size_t unfinished_ = 0;
};

}  // namespace sluice::consumer
