#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace sluice {

/// Which lines of the log are kept and which are dropped: no threads, no I/O. Lines count against
/// the capacity until they are written, so a batch that is being written still counts.
class LogQueue {
public:
    explicit LogQueue(std::size_t capacity) : capacity_{capacity} {}

    /// False when the line was dropped: routine ones above half, any when full.
    bool offer(std::string_view line, bool routine);

    /// Counts a line that was not even made.
    void drop() noexcept { ++dropped_; }

    /// The next lines, at most about `most_bytes` (one line at least), as one text.
    [[nodiscard]] std::string take(std::size_t most_bytes);
    /// The batch of the last take() is written, or lost: then its lines count as dropped.
    void written() noexcept { in_hand_ = 0; }
    void lost() noexcept;

    [[nodiscard]] bool empty() const noexcept { return lengths_.empty(); }
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
    /// Drops that no line has reported yet; `said` subtracts those that one has.
    [[nodiscard]] std::uint64_t unsaid() const noexcept { return dropped_ - said_; }
    void said(std::uint64_t drops) noexcept { said_ += drops; }

private:
    std::size_t capacity_;
    std::size_t in_hand_ = 0;
    std::string text_;  // the lines, one after another, from `begin_` on
    std::size_t begin_ = 0;
    std::deque<std::size_t> lengths_;
    std::uint64_t dropped_ = 0;
    std::uint64_t said_ = 0;
};

}  // namespace sluice
