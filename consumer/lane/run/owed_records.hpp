#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "consumer/lane/rules/retry_delays.hpp"
#include "consumer/lane/run/lane_context.hpp"
#include "consumer/lane/run/shut_topics.hpp"
#include "consumer/store/dead_letter/dead_letter_read.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// Produces what lanes owe to Kafka, awaits the report and marks it as sent. Outside of any
/// transaction: a broker that is slow must hold no lock. One thread's.
///
/// Between the report and the mark the process may die: the record is then produced again, which is
/// harmless. A mark without a report never happens.
class OwedRecords {
public:
    explicit OwedRecords(const LaneContext& context) : context_{context} {}

    /// How a payment ended.
    enum class Sent {
        yes,
        not_taken,  ///< the broker did not acknowledge it; readiness says so. Try again
        refused,    ///< the broker does not take this one record. It stays owed, and the sweeper tries again:
                    ///< nothing else waits for it
    };

    /// The wakeup of `wakeup`, which is owed.
    [[nodiscard]] Result<Sent> send_wakeup(store::Connection& connection, const store::LaneKey& key,
                                           std::string_view object_key, const lane::Wakeup& wakeup);
    /// Where that goes: long enough for another process to poll it.
    [[nodiscard]] static const lane::Tier& tier_of_others() noexcept { return lane::tiers[1]; }
    /// The same wakeup once more, for a process that has the effect that this one lacks; nothing to mark.
    [[nodiscard]] Sent send_again(std::string_view object_key, lane::Generation gen);

    /// The DLQ record of dead letter `id`; without its body where the topic takes none so large, which a
    /// header then says.
    [[nodiscard]] Result<Sent> send_dead_letter(store::Connection& connection, std::int64_t id);

private:
    [[nodiscard]] Sent publish_dead_letter(const Outgoing& record, std::int64_t id);
    [[nodiscard]] bool publish(const Outgoing& record, const char* concern);
    [[nodiscard]] bool conclude(const Outgoing& record, const char* concern, const Result<void>& published);
    [[nodiscard]] bool publish_wakeup(std::string_view object_key, lane::Generation gen, WallTime due);
    [[nodiscard]] Result<void> mark(store::Connection& connection, const store::DeadLetterRow& dead_letter);

    LaneContext context_;
    ShutTopics shut_;
    ShutTopics shut_dead_letters_;  // by id, those that are refused for themselves
};

}  // namespace sluice::consumer
