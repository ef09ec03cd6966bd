#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/crypto/digest.hpp"
#include "common/record/event_record.hpp"
#include "common/trace/context.hpp"

namespace sluice::consumer {

/// A partition of one of the topics that a member of a group reads.
struct Place {
    constexpr Place(std::int32_t number, std::size_t topic_index = 0)
        : partition{number}, topic{topic_index} {}

    std::int32_t partition;
    std::size_t topic;  ///< its index in the member's list of topics

    auto operator<=>(const Place&) const = default;
};

/// Where a record came from. The generation is the partition's seek generation: after a seek-back or a new
/// assignment it is another one, and work of an older one is dropped unsettled.
struct Coordinates {
    std::int32_t partition = 0;
    std::int64_t offset = 0;  ///< -1: not known, for a trial
    std::uint64_t generation = 0;
    std::size_t topic = 0;  ///< its index in the member's list of topics

    [[nodiscard]] Place place() const noexcept { return {partition, topic}; }
    auto operator<=>(const Coordinates&) const = default;
};

/// One record as polled. The views live as long as `owner`, which frees the client's message.
struct Record {
    Coordinates at;
    std::string_view key;    ///< the ordering unit; empty: none
    std::string_view value;  ///< the body, byte for byte
    std::vector<record::HeaderView> headers;
    WallTime appended_at{};          ///< the broker's timestamp
    std::int32_t leader_epoch = -1;  ///< under which it was written; -1: not known
    std::string_view topic{};        ///< of a stored one, where it lay; empty: the topic that is read
    std::shared_ptr<const void> owner;

    /// With what is learned of it.
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// The object that a record belongs to: its key, or itself where there is none. Lives no longer than the
/// record.
class ObjectKey {
public:
    explicit ObjectKey(const Record& record);
    operator std::string_view() const noexcept { return own_.empty() ? key_ : own_; }
    [[nodiscard]] std::string str() const { return std::string{std::string_view{*this}}; }

private:
    std::string_view key_;
    std::string own_;
};

/// One attempt at an event, for its spans (consumer/telemetry/event_spans.hpp).
struct Attempt {
    SteadyTime began{};
    SteadyTime committed_from{};  ///< the transaction that it had for itself, from BEGIN
    SteadyTime committed_at{};    ///< to COMMIT's answer; neither: it had none that was committed
    std::shared_ptr<const trace::Context> together{};  ///< the transaction that it shared; null: none
    std::string topic{};                               ///< that its record came from; empty: the main one
    bool is_told = false;  ///< even if its trace is not kept: it failed before, or an operator wants it
};

/// Runs of an event's effects in which the session ended (consumer/apply/troubled_runs.hpp).
struct TroubledRuns {
    int times = 0;
    std::string effect{};  ///< that was at work when the last one did
    SteadyTime first{};
    bool is_cause = false;  ///< the event is not run any more
};

/// What a worker knows of an event that could not be applied so far.
struct Failures {
    int attempts = 0;                 ///< failures that count
    std::optional<SteadyTime> first;  ///< the first retry or deferral, by the steady clock
    WallTime first_at{};              ///< the same for people
    int lost_locks = 0;               ///< how often an effect of it lost one
    TroubledRuns troubled{};

    [[nodiscard]] bool none() const noexcept { return !first && lost_locks == 0 && troubled.times == 0; }
};

/// What an event says of a payment (consumer/apply/payment_said.hpp). Numbers are empty where it says none.
struct PaymentSaid {
    std::optional<std::string_view>
        kind;                   ///< a view of the recipe; empty: no payment; none: it cannot be told
    std::string reference{};    ///< the merchant's order number
    std::string transaction{};  ///< the provider's number
};

/// A record on its way through a worker, with what was learned about it in earlier attempts.
struct Item {
    Record record;
    record::EventHeaders event;  ///< empty where `decoded` is false
    bool decoded = false;
    bool edited = false;                   ///< the record's value is an operator's, not the provider's
    std::optional<crypto::Digest> lane;    ///< lane_of (consumer/apply/event.hpp) keeps it here
    std::optional<PaymentSaid> payment{};  ///< note_payment (consumer/apply/payment_said.hpp) keeps it here
    Failures failures{};
    int lane_misses = 0;  ///< how often its lane could not be had, or not be settled
    Attempt attempt{};
};

/// From the poll thread to where they end items are handed on as nodes: one is a thousand bytes.
using Items = std::list<Item>;

}  // namespace sluice::consumer
