#pragma once

#include <span>
#include <string_view>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/trace/tracer.hpp"
#include "consumer/record/record.hpp"
#include "consumer/telemetry/disposition.hpp"

namespace sluice::consumer {

/// What becomes of an event behind Kafka, in the trace of its request: each attempt has the record's publish
/// as its parent, and so has what is sent to the DLQ. Reports all attempts of a trace that is kept, and of
/// any other those that failed, whether or not others follow, and what concerns a dead letter. Thread-safe;
/// its arguments outlive it.
class EventSpans {
public:
    EventSpans(trace::Tracer& tracer, const config::KafkaSettings& kafka, const Clock& clock)
        : tracer_{tracer}, kafka_{kafka}, clock_{clock} {}

    struct Why {
        std::string_view error_class{};  ///< of dead letters a closed set, of cases a rule's word
        std::string_view reason{};
    };
    /// An attempt has ended. Nothing is reported of a record that names no trace.
    void tried(Disposition disposition, const Item& item, const Why& why);

    /// The transaction of these events is committed. A transaction of several is its own trace, linked both
    /// ways with those of them whose traces are kept.
    void committed(std::span<Item* const> items, SteadyTime began);
    void committed(Item& item, SteadyTime began);

    struct DeadLetter {
        std::int64_t id = 0;
        std::string_view error_class{};
        bool is_taken = true;  ///< by the broker
    };
    /// The DLQ record of `item`.
    void dead_letter(const Item& item, const DeadLetter& dead_letter, SteadyTime began);

    struct Order {
        std::string_view action{};
        std::string_view answer{};
        std::string_view why{};  ///< of a refusal
        std::string_view
            traceparent{};  ///< of the event that it is about; empty: there is none, or it is unknown
        std::int64_t dead_letter = 0;  ///< 0: none
    };
    /// An operator's command, which is always reported, in the trace of its event.
    void commanded(const Record& record, const Order& order, SteadyTime began);

    /// A request that the ingress could not read has become entry `id`.
    void entry_opened(const Record& record, std::int64_t id, std::string_view reason, SteadyTime began);

private:
    [[nodiscard]] bool is_kept(const Item& item) const noexcept;
    [[nodiscard]] WallTime wall(SteadyTime time) const;
    void committed_together(std::span<Item* const> items, SteadyTime began);
    void tell_transaction(const Item& item, std::string_view parent_id);

    trace::Tracer& tracer_;
    const config::KafkaSettings& kafka_;
    const Clock& clock_;
};

/// As the record says it; empty where it says none, or one that is malformed.
[[nodiscard]] std::string_view traceparent_of(const Record& record) noexcept;
[[nodiscard]] std::string_view traceparent_of(const Item& item) noexcept;

}  // namespace sluice::consumer
