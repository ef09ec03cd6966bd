#pragma once

#include <cstddef>

namespace sluice::publish {

/// When records of one partition leave. No timer may delay a lone record, and requests per record are what
/// costs where many come: so up to `most_apart` records leave at once, the next are gathered behind them, and
/// an acknowledgement of all that is outstanding sends everything gathered in one go. Nothing ever leaves
/// directly past gathered records, which keeps the partition's order. Pure counting; the caller keeps the
/// records.
class Gathering {
public:
    /// An idempotent producer of librdkafka has five messages of a partition in flight at most, and its
    /// thread spins while a sixth waits.
    static constexpr std::size_t most_apart = 4;

    [[nodiscard]] bool leaves_at_once() const noexcept { return outstanding_ < most_apart && gathered_ == 0; }

    void left() noexcept { ++outstanding_; }
    void gathered() noexcept { ++gathered_; }

    /// `count` outstanding records have their report, good or bad. How many of the gathered ones leave
    /// now, from the oldest: all or none. They count as outstanding from here on.
    [[nodiscard]] std::size_t settled(std::size_t count) noexcept;

    /// One that was to leave could not: it is neither outstanding nor gathered any more.
    void withdrawn() noexcept { --outstanding_; }
    /// Everything gathered is given up; how many those were.
    [[nodiscard]] std::size_t give_up_gathered() noexcept;

    [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }
    [[nodiscard]] std::size_t waiting() const noexcept { return gathered_; }

private:
    std::size_t outstanding_ = 0;
    std::size_t gathered_ = 0;
};

}  // namespace sluice::publish
