#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::model {

/// What the protocol asks for. A search may leave rules out, to see what each of them is for.
enum class Rule : std::uint8_t {
    // Without these there is no order over retries at all (consumer.md, table 2.5).
    followers_wait,           ///< no event runs past one that holds
    one_inbox_row,            ///< the dedup key is a primary key
    park_in_one_transaction,  ///< the lane is seen busy and the event parked under one lock
    commit_before_produce,    ///< no wakeup leaves before the lane that it wakes is committed
    produce_before_ack,       ///< no record is acknowledged before what it owes was produced
    redelivery_pays,          ///< a duplicate pays what its lane owes
    failure_starts_over,      ///< the second transaction starts over where something moved
    // What deferral, generations and debts add.
    run_under_lock,           ///< an event that passes deferred ones runs under the lane's lock
    any_duplicate_pays,       ///< not only that of a retried event
    any_record_pays,          ///< stale wakeups pay too
    failure_is_verified,      ///< the second transaction of a pass compares generation and row
    pass_ends_armed,          ///< a pass that leaves rows waiting for time makes a new generation
    deferred_before_dead_go,  ///< a dead event does not hold those before it
    deferred_keep_lane,       ///< a lane with deferred rows is not open
    look_again,               ///< after paying, before the acknowledgement
    dead_holds,               ///< those behind it, until an operator acts
    retry_in_turn,            ///< a dead event that is retried waits for one that is dead before it
    command_once,             ///< a command's id is unique
    command_arms,             ///< a command leaves a wakeup owed
    superseding_arms,         ///< so does a new event that supersedes a dead one
    dlq_before_mark,          ///< dlq_sent is set after the report
    mark_names_death,         ///< and for the death that the record was about
    sweeper,                  ///< wakes lanes whose wakeup was lost
    count,
};

using Without = std::bitset<static_cast<std::size_t>(Rule::count)>;

[[nodiscard]] inline Without without(Rule rule) {
    return Without{}.set(static_cast<std::size_t>(rule));
}

[[nodiscard]] std::string_view name_of(Rule rule) noexcept;

}  // namespace sluice::model
