#pragma once

#include <expected>
#include <span>
#include <string_view>

#include "common/record/event_record.hpp"
#include "consumer/lane/rules/lane.hpp"
#include "consumer/lane/rules/retry_topics.hpp"
#include "consumer/publish/publisher.hpp"

/// The record that wakes a lane (proto/README.md). Pure.
namespace sluice::consumer {

/// A wakeup to produce: it says nothing of the events that wait, which are read where they stand. The view
/// lives until the record is published.
struct LaneWakeup {
    std::string_view object_key;
    lane::Generation gen = 0;
    WallTime due{};
};

/// To the tier that fits best, due when that tier's delay is over, so that the records of a topic are due in
/// the order in which they lie there: a wakeup that comes before `due` finds nothing due and is sent on.
/// Lives no longer than `wakeup` and `topics`.
[[nodiscard]] Outgoing wakeup_record(const LaneWakeup& wakeup, const RetryTopics& topics, WallTime now);

/// What a record on a retry topic says.
struct WakeupHeaders {
    lane::Generation gen = 0;
    WallTime due{};
};

/// Why a record says nothing that can be relied upon. It touches its lane all the same, at once and as no
/// wakeup of any generation.
enum class WakeupRefusal { no_generation, bad_generation, no_due_time, bad_due_time, said_twice };
[[nodiscard]] std::string_view name_of(WakeupRefusal refusal) noexcept;

[[nodiscard]] std::expected<WakeupHeaders, WakeupRefusal> read_wakeup_record(
    std::span<const record::HeaderView> headers);

}  // namespace sluice::consumer
