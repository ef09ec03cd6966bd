#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sluice::consumer {

/// A partition's log: its first offset, and the one after its last.
struct LogBounds {
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// Where a partition is read from, and why there. Pure: see `read_from`.
struct ReadFrom {
    enum class Because {
        position,   ///< goes on where it was
        beginning,  ///< nothing was ever read of it
        dropped,    ///< Kafka has dropped what was to be read next: the log's start
        truncated,  ///< the log was cut below what was read: read again
    };
    std::int64_t offset = 0;
    Because because = Because::position;

    bool operator==(const ReadFrom&) const = default;
};

/// `position`: what was to be read next, if anything was ever read. `is_refused`: the client does not read on
/// there, or the record before is not the one that was read. Inside the log that means that it was cut below
/// the position and has grown past it since; at its start, that retention has taken the record before.
[[nodiscard]] ReadFrom read_from(std::optional<std::int64_t> position, const LogBounds& log,
                                 bool is_refused = false) noexcept;

/// The partitions whose bounds are worth a question now, within one round of questions: each may take
/// seconds, and the partitions that can be read wait for the round's end. Pure.
class AskingRound {
public:
    /// By partition, the broker that leads it; without a leader no broker can answer.
    explicit AskingRound(std::map<std::int32_t, std::int32_t> leaders) : leaders_{std::move(leaders)} {}

    [[nodiscard]] bool is_worth_asking(std::int32_t partition) const;
    /// The partition's leader is not asked for others in this round.
    void got_no_answer(std::int32_t partition);

private:
    std::map<std::int32_t, std::int32_t> leaders_;
    std::set<std::int32_t> silent_;
};

}  // namespace sluice::consumer
