#pragma once

#include <cstdint>
#include <map>

namespace sluice::consumer {

/// Of a record whose leader epoch is not known: from an old broker, or an offset committed by an earlier
/// release.
constexpr std::int32_t unknown_epoch = -1;

/// Where to read on. The epoch is that of the record before: with it the client notices that the log has lost
/// that record and goes on with others.
struct LogPosition {
    LogPosition(std::int64_t at, std::int32_t epoch = unknown_epoch) : offset{at}, leader_epoch{epoch} {}

    std::int64_t offset;
    std::int32_t leader_epoch;

    bool operator==(const LogPosition&) const = default;
};

/// Which leader epoch the records of one partition have. Kafka numbers a partition's leaders; each record
/// keeps the number under which it was written, so that a log cut by an unclean election goes on with a
/// higher one. Pure; not thread-safe.
class LeaderEpochs {
public:
    /// Of what lies below `start` only the epoch of the last one is known.
    explicit LeaderEpochs(LogPosition start) : firsts_{{start.offset - 1, start.leader_epoch}} {}

    /// A record was read; offsets grow.
    void note(std::int64_t offset, std::int32_t epoch);
    /// Of the last record below `offset`, which is not below what was forgotten.
    [[nodiscard]] std::int32_t below(std::int64_t offset) const;
    /// No caller asks for anything below `offset` any more.
    void forget_below(std::int64_t offset);

private:
    std::map<std::int64_t, std::int32_t> firsts_;  // by the first offset of each epoch; never empty
};

}  // namespace sluice::consumer
