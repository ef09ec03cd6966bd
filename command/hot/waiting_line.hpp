#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "command/request/request.hpp"
#include "common/clock.hpp"

namespace sluice::command {

/// A command that was read from Kafka and is not settled.
struct Waiting {
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    Request request{};
    WallTime due_at{};           ///< not to be booked before
    SteadyTime failing_since{};  ///< zero: it has not failed
    bool is_given_up = false;    ///< which was said; its row is not there yet
    bool is_gone = false;        ///< from the log, so that its offset says nothing
    bool is_settled = false;     ///< its row is committed, or nothing is to be done
};

/// What waits to be booked, for each partition in its order. Nothing overtakes within a partition: a command
/// that is not due, or that is tried again later, holds those behind it. Pure; one thread's.
class WaitingLine {
public:
    void add(Waiting one);
    /// From the front of each partition that does not rest, at most `most` of each, and each key once in it.
    /// One partition follows the other. They stay where they are, until the next `add`, `drop` or
    /// `take_settled`.
    [[nodiscard]] std::vector<Waiting*> due(WallTime now, SteadyTime steady, std::size_t most);
    /// Whether the front of a partition that does not rest fills a batch of `most` that are due.
    [[nodiscard]] bool fills_a_batch(WallTime now, SteadyTime steady, std::size_t most) const;
    /// The partition is left alone until then.
    void rest(std::int32_t partition, SteadyTime until) { lines_[partition].rests_until = until; }
    /// Forgets what is settled in front: by partition, the offset that is next.
    [[nodiscard]] std::map<std::int32_t, std::int64_t> take_settled();
    /// Partitions that are another's now.
    void clear() { lines_.clear(); }
    /// Its offsets say nothing any more: records that are read next are new ones. What waits stays.
    void begin_again(std::int32_t partition);

    [[nodiscard]] std::size_t size(std::int32_t partition) const;
    [[nodiscard]] bool empty() const;
    /// By command: when what stands in front of a partition is due, the earliest of its partitions. Those
    /// behind wait for it, so none of them is late before it is.
    [[nodiscard]] std::map<std::string, WallTime> due_in_front() const;
    /// When the oldest was accepted; nothing: none waits.
    [[nodiscard]] std::optional<WallTime> oldest() const;

private:
    struct Line {
        std::deque<Waiting> waiting;
        std::int64_t read_until = -1;  // the last offset
        SteadyTime rests_until{};
    };
    std::map<std::int32_t, Line> lines_;
};

}  // namespace sluice::command
