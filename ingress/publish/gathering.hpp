#pragma once

#include <cstddef>

namespace sluice::publish {

/// When records of one partition leave. Requests per record are what costs,
/// and no timer may delay a lone record: so a record leaves at once when nothing is outstanding, and
/// is gathered behind the others when something is; an acknowledgement of all that is outstanding
/// sends everything gathered in one go. Nothing ever leaves directly past gathered records, which
/// keeps the partition's order. Pure counting; the caller keeps the records.
class Gathering {
public:
    [[nodiscard]] bool leaves_at_once() const noexcept { return outstanding_ == 0 && gathered_ == 0; }

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
